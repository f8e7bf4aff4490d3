package dev.baton.duty.tokens;

import dev.baton.core.Bytes;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.standing.Readiness;
import dev.baton.duty.BrokenInvariantException;
import dev.baton.duty.tokens.TokenSettings.Region;
import dev.baton.duty.tokens.state.CheckpointCodec;
import dev.baton.duty.tokens.state.TokenState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state as far as this node has followed the ledger.
 *
 * <p>Written on the duty thread alone, which may therefore read it without further ado; others read through
 * {@link #ask}. A node that finds the beginning of the ledger trimmed is blind: it jumps to where the ledger begins and
 * knows nothing until a checkpoint is complete. It keeps the entries after the one that the checkpoint covers, and takes
 * them in then.
 */
final class TokenLedger {

    /** Who committed last, and where it serves tokens. */
    record Served(Epoch term, String address) {}

    private final Region region;
    private final CheckpointParts parts = new CheckpointParts();
    private final List<Entry> sinceCovered = new ArrayList<>();
    private TokenState state = new TokenState();
    private Head head = Head.GENESIS;
    private boolean blind;
    private String whyBlind = "";
    private boolean gathering;
    private volatile Height applied = Height.ZERO;
    private volatile Served served = new Served(Epoch.NONE, "");
    private volatile Readiness readiness = new Readiness.Ready();
    private volatile Height lastCovered = Height.ZERO;
    private volatile long lastCheckpointBytes;
    private volatile @Nullable String broken;

    TokenLedger(Optional<Region> region) {
        this.region = region.orElse(new Region(0, 1));
    }

    // From any thread

    Height applied() {
        return applied;
    }

    Readiness readiness() {
        return readiness;
    }

    Served served() {
        return served;
    }

    Height lastCovered() {
        return lastCovered;
    }

    long lastCheckpointBytes() {
        return lastCheckpointBytes;
    }

    synchronized <R> R ask(Function<TokenState, R> question) {
        return question.apply(state);
    }

    // On the duty thread

    TokenState state() {
        return state;
    }

    Head head() {
        return head;
    }

    Bytes checkpoint() {
        return CheckpointCodec.encode(state, head);
    }

    /** Throws unless the state is whole and stands at this head. */
    void requireTip(Head expected) {
        requireWhole();
        if (blind || !head.equals(expected)) {
            throw new IllegalStateException("the tokens' state is " + (blind ? "unknown" : "that of " + head)
                    + " (expected: the ledger's head " + expected + ")");
        }
    }

    private void requireWhole() {
        String why = broken;
        if (why != null) {
            throw new BrokenInvariantException(why);
        }
    }

    /** Takes in an entry, unless it has been already. */
    synchronized void take(Entry entry) {
        requireWhole();
        if (!entry.height().isAbove(applied)) {
            return;
        }
        try {
            if (!entry.height().equals(applied.next())) {
                throw new BrokenInvariantException(entry + " after height " + applied + " (expected: the next one)");
            }
            boolean complete = gather(entry);
            if (!blind) {
                follow(entry);
            } else if (complete) {
                restore();
            }
            applied = entry.height();
            readiness = judge();
            served = new Served(state.lastTerm(), state.address());
        } catch (BrokenInvariantException e) {
            broken = e.getMessage();
            readiness = new Readiness.NotReady(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private boolean gather(Entry entry) {
        boolean complete = false;
        for (Fact fact : entry.facts()) {
            if (fact instanceof Fact.Checkpoint part) {
                if (part.part() == 1) {
                    sinceCovered.clear();
                    gathering = true;
                }
                complete = parts.add(part);
            }
        }
        if (blind && gathering) {
            sinceCovered.add(entry);
        }
        if (complete && !blind) {
            noteCheckpoint();
        }
        return complete;
    }

    private void noteCheckpoint() {
        lastCovered = parts.covers();
        lastCheckpointBytes = parts.bytes();
        parts.clear();
    }

    private void follow(Entry entry) {
        if (!entry.follows(head)) {
            throw new BrokenInvariantException(entry + " does not follow " + head + " (expected: parent "
                    + head.hash().toShortString() + ", not " + entry.parent().toShortString() + ")");
        }
        state.apply(entry);
        head = entry.asHead();
    }

    /** A damaged checkpoint is refused; a later one may be whole. */
    private void restore() {
        CheckpointCodec.Restored restored;
        try {
            restored = CheckpointCodec.decode(parts.whole());
        } catch (IllegalArgumentException e) {
            whyBlind = "the checkpoint of height " + parts.covers() + " is damaged: " + e.getMessage();
            gathering = false;
            sinceCovered.clear();
            return;
        }
        Head covered = restored.head();
        if (!covered.height().equals(parts.covers())) {
            throw new BrokenInvariantException(
                    "a checkpoint of height " + covered.height() + " (expected: " + parts.covers() + ")");
        }
        state = restored.state();
        head = covered;
        blind = false;
        sinceCovered.forEach(this::follow);
        sinceCovered.clear();
        noteCheckpoint();
    }

    /** The ledger begins at {@code oldest}: what is known is too old to go on from. */
    synchronized void jumpTo(Height oldest) {
        requireWhole();
        if (!oldest.isAbove(applied.next())) {
            return;
        }
        blind = true;
        gathering = false;
        sinceCovered.clear();
        parts.clear();
        whyBlind = "the ledger begins at " + oldest + ", and no checkpoint has been read yet";
        applied = new Height(oldest.value() - 1);
        readiness = judge();
    }

    private Readiness judge() {
        if (blind) {
            return new Readiness.NotReady(whyBlind);
        }
        Optional<Region> ofLedger = state.region();
        return ofLedger.isEmpty() || ofLedger.get().equals(region)
                ? new Readiness.Ready()
                : new Readiness.NotReady("tokens.region: " + region.index() + " of " + region.of() + " (expected: "
                        + ofLedger.get().index() + " of " + ofLedger.get().of()
                        + ", which the ledger's namespaces were made for)");
    }
}
