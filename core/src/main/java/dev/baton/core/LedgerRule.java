package dev.baton.core;

/**
 * How an entry relates to a ledger that ends at {@code head}: the rule that every engine's append comes down to.
 *
 * <p>INV-3: one committed entry per height, ever; INV-4: the chain of parents is unbroken.
 */
public enum LedgerRule {
    /** It follows the head. */
    NEXT,
    /** It is the head. */
    SAME_AS_HEAD,
    /** It lies at or below the head's height and is not the head: only the stored entry there can tell. */
    BELOW,
    /** Something between the head and it is missing. */
    GAP,
    /** It has the next height, but another parent. */
    OTHER_PARENT;

    public static LedgerRule relate(Entry entry, Head head) {
        if (entry.follows(head)) {
            return NEXT;
        }
        if (entry.asHead().equals(head)) {
            return SAME_AS_HEAD;
        }
        if (!entry.height().isAbove(head.height())) {
            return BELOW;
        }
        return entry.height().equals(head.height().next()) ? OTHER_PARENT : GAP;
    }
}
