package dev.baton.duty.remote;

/**
 * Whether a sequencer's chain contains the last head in the ledger.
 *
 * <p>INV-26: one whose chain does not is never started, and its head never recorded.
 */
public sealed interface Continuity {

    record Continues() implements Continuity {}

    /** {@code why} is a whole sentence part, for people to read. */
    record Broken(String why) implements Continuity {}

    /**
     * Judges what was seen.
     *
     * @param trusting whether a sequencer that cannot be asked for older blocks is believed
     */
    static Continuity of(BlockRef recorded, RemoteView view, boolean trusting) {
        if (recorded.isNone()) {
            return new Continues();
        }
        BlockRef head = view.head();
        if (head.number() < recorded.number()) {
            return new Broken("its head " + head + " is behind the ledger's " + recorded);
        }
        if (head.number() == recorded.number()) {
            return head.equals(recorded)
                    ? new Continues()
                    : new Broken("its head " + head + " is another block than the ledger's " + recorded);
        }
        return switch (view.ancestor()) {
            case Ancestor.Has(var hash) ->
                hash.equals(recorded.hash())
                        ? new Continues()
                        : new Broken("its block " + new BlockRef(recorded.number(), hash) + " below its head " + head
                                + " is another than the ledger's " + recorded);
            case Ancestor.Lacks() ->
                new Broken("it has no block " + recorded.number() + " below its head " + head + " (the ledger has "
                        + recorded + ")");
            case Ancestor.CannotTell() ->
                trusting
                        ? new Continues()
                        : new Broken("it does not tell whether its head " + head + " continues the ledger's " + recorded
                                + " (remote.unverified-ancestry: true believes it)");
        };
    }
}
