package dev.baton.formal;

import dev.baton.formal.Model.Expectation;
import dev.baton.formal.Model.Search;
import java.util.List;
import java.util.stream.Stream;

/** Everything that TLC is asked. The bounds are in the {@code .cfg} file of the same name. */
public final class Models {

    private static final Search ALL_STATES = new Search.Exhaustive();

    /** Our protocol, within bounds that every build can afford. */
    private static final List<Model> OURS = List.of(
            holds("ledger", "Ledger", ALL_STATES, "3 nodes, 3 terms, 2 heights, equal epochs allowed: no fork"),
            holds("ledger-three-heights", "Ledger", ALL_STATES, "2 terms, 3 heights: a rebased log does no harm"),
            holds("ledger-five-nodes", "Ledger", ALL_STATES, "5 nodes, 2 terms, 2 heights: no fork"),
            holds("ledger-walks", "Ledger", walks(8_000, 60), "3 nodes, 4 terms, 4 heights, at random: no fork"),
            holds("node-set", "NodeSet", ALL_STATES, "a member is replaced, 2 terms, 2 heights: no fork"),
            holds(
                    "node-set-walks",
                    "NodeSet",
                    walks(8_000, 60),
                    "a lost member is replaced, 3 terms, 3 heights: no fork"),
            holds("node-set-resize-walks", "NodeSet", walks(6_000, 70), "the set grows, shrinks and moves: no fork"),
            holds("handoff-walks", "Handoff", walks(10_000, 50), "a ticket is good only at its head; no fork"),
            holds(
                    "leased-tokens",
                    "LeasedTokens",
                    ALL_STATES,
                    "3 terms, leases of 2 ticks: no token twice, in order, revisions never decrease"),
            holds(
                    "leased-tokens-no-clocks",
                    "LeasedTokens",
                    ALL_STATES,
                    "no token twice, even if holders act long after their leases"));

    /** One rule broken in each; each must fail, or the models above prove little. */
    private static final List<Model> BROKEN = List.of(
            fails("published-repair", "Published", "as published: HEIGHT_EXISTS counts as a copy"),
            fails("published-naive-fix", "Published", "overwriting by epoch does not mend INCR and a late read"),
            fails("flaw-height-exists", "Ledger", "whatever a node holds at the height counts as an acknowledgement"),
            fails("flaw-incr", "Ledger", "each node counts epochs up by itself, the candidate takes the maximum"),
            fails("flaw-grant-twice", "Ledger", "a node grants an epoch that it has promised already"),
            fails("flaw-early-read", "Ledger", "the tip is read before the grant"),
            fails("flaw-late-read", "Ledger", "the tip is read after the promotion, from whoever answers"),
            fails("flaw-second-pick", "Ledger", "a leader recovers twice in one epoch, from different grants"),
            fails(
                    "flaw-pick-any",
                    "Ledger",
                    "recovery takes any tip of the greatest height, not that of the greatest ballot"),
            fails("flaw-any-ack", "Ledger", "an acknowledgement of another height counts"),
            fails("flaw-no-parent-check", "Ledger", "an entry is taken without looking at its parent"),
            fails("flaw-blank-votes", "Ledger", "a node that lost its data votes as if it were new"),
            fails("flaw-readmit", "Ledger", "a leader takes a blank node back under its old id"),
            fails("flaw-never-replace", "Ledger", "entries are never replaced: a height that can never be decided"),
            fails(
                    "flaw-rule-a-off",
                    "NodeSet",
                    walks(2_000_000, 40),
                    "elected without a quorum of the set that the tip installs"),
            fails(
                    "flaw-admit-without-tip",
                    "NodeSet",
                    walks(2_000_000, 40),
                    "a fresh member is admitted without the tip"),
            fails(
                    "flaw-readmit-in-set",
                    "NodeSet",
                    walks(2_000_000, 40),
                    "a lost member returns under its old id while the set changes"),
            fails(
                    "flaw-head-unchecked",
                    "Handoff",
                    walks(2_000_000, 40),
                    "a ticket is used without comparing the head"),
            fails("flaw-leased-no-wait", "LeasedTokens", "a new term does not wait for the lease of the last"),
            fails(
                    "flaw-leased-any-resignation",
                    "LeasedTokens",
                    "a predecessor that resigned while it waited counts as the end of the one before"),
            fails("flaw-leased-unsettled", "LeasedTokens", "strict replies carry the new revision at once"),
            fails("flaw-leased-no-clocks", "LeasedTokens", "order needs the clocks: a holder acts after its lease"),
            fails("flaw-leased-from-memory", "LeasedTokens", "a new term goes on where the last token was handed out"));

    /** What takes longer than a build may. */
    private static final List<Model> LONG = List.of(
            holds("ledger-full", "Ledger", ALL_STATES, "3 nodes, 3 terms, 3 heights: no fork"),
            holds("ledger-four-terms-full", "Ledger", ALL_STATES, "3 nodes, 4 terms, 2 heights: no fork"),
            holds("ledger-five-nodes-full", "Ledger", ALL_STATES, "5 nodes, 3 terms, 1 height: no fork"),
            holds(
                    "ledger-five-nodes-walks",
                    "Ledger",
                    walks(500_000, 80),
                    "5 nodes, 4 terms, 3 heights, at random: no fork"),
            holds(
                    "ledger-ahead-blind",
                    "Ledger",
                    ALL_STATES,
                    "a node that is ahead needs no comparison: what is below a tip is committed"),
            holds("handoff", "Handoff", ALL_STATES, "a ticket is good only at its head, 3 terms, 2 heights; no fork"),
            holds("node-set-full", "NodeSet", ALL_STATES, "a member is replaced, 3 terms, 2 heights: no fork"),
            holds(
                    "node-set-rule-b-off",
                    "NodeSet",
                    ALL_STATES,
                    "rule A alone keeps 2 terms and 2 heights from forking"),
            holds(
                    "node-set-rule-b-off-walks",
                    "NodeSet",
                    walks(500_000, 70),
                    "rule A alone keeps resizing from forking"),
            holds(
                    "node-set-no-promise-walks",
                    "NodeSet",
                    walks(500_000, 70),
                    "a fresh member admitted without a promise makes no fork"),
            fails(
                    "flaw-ballot-blind",
                    "Ledger",
                    "recovery calls a tip committed though its copies have different ballots"));

    private Models() {}

    /** What the tests run. */
    public static List<Model> checked() {
        return Stream.of(OURS, BROKEN).flatMap(List::stream).toList();
    }

    /** All of it, the long ones last. */
    public static List<Model> full() {
        return Stream.of(OURS, BROKEN, LONG).flatMap(List::stream).toList();
    }

    private static Search walks(long count, int depth) {
        return new Search.Walks(count, depth, 1);
    }

    private static Model holds(String name, String module, Search search, String shows) {
        return new Model(name, module, Expectation.HOLDS, search, shows);
    }

    private static Model fails(String name, String module, String shows) {
        return fails(name, module, ALL_STATES, shows);
    }

    private static Model fails(String name, String module, Search search, String shows) {
        return new Model(name, module, Expectation.VIOLATES, search, shows);
    }
}
