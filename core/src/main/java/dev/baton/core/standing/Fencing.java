package dev.baton.core.standing;

/** Where a replaced holder's effects are stopped. */
public enum Fencing {
    /** The effect is the ledger entry itself: a zombie cannot commit, so a successor need not wait. */
    AT_LEDGER,
    /** The resource compares (cluster, era, epoch): a successor raises the stored fence before it reads. */
    AT_RESOURCE,
    /** Only stopping the process helps: a successor waits until the predecessor must have stopped. */
    AT_PROCESS
}
