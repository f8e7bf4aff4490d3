package dev.baton.authority.etcd.seat;

import com.google.protobuf.ByteString;
import dev.baton.authority.Candidate;
import dev.baton.core.Ending;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.Seating;
import dev.baton.core.Term;

/**
 * The values of the small keys, as text, so that {@code etcdctl get --prefix /baton/} can be read by people.
 *
 * <p>Each value has exactly one spelling, because transactions compare them byte for byte.
 */
final class Records {

    private Records() {}

    /** What the key {@code term} says: whose term it is, and how the one before it ended. */
    record TermRecord(Seating seating, Ending predecessorEnded) {}

    /** What the key {@code ended} says. */
    record Ended(Epoch epoch, Ending how) {}

    static ByteString holder(Holder holder) {
        return text(holder.toString());
    }

    static Holder holder(ByteString value) {
        String text = value.toStringUtf8();
        int hash = text.indexOf('#');
        if (hash < 0) {
            throw malformed("seat", text, "node#incarnation");
        }
        return new Holder(new NodeId(text.substring(0, hash)), Incarnation.parse(text.substring(hash + 1)));
    }

    static ByteString term(Candidate candidate, Ending predecessorEnded) {
        return text(candidate.holder() + " " + predecessorEnded + " " + candidate.address());
    }

    /**
     * Reads a term.
     *
     * @param modRevision the revision at which it was written, which is its epoch
     */
    static TermRecord term(ByteString value, long modRevision) {
        String[] parts = value.toStringUtf8().split(" ", 3);
        if (parts.length < 3) {
            throw malformed("term", value.toStringUtf8(), "node#incarnation ENDING address");
        }
        Term term = new Term(new Epoch(modRevision), holder(text(parts[0])));
        return new TermRecord(new Seating(term, parts[2]), Ending.valueOf(parts[1]));
    }

    static ByteString head(Head head) {
        return text(head.height() + " " + head.hash());
    }

    static Head head(ByteString value) {
        String[] parts = value.toStringUtf8().split(" ", 2);
        if (parts.length < 2) {
            throw malformed("head", value.toStringUtf8(), "height hash");
        }
        return new Head(new Height(Long.parseLong(parts[0])), Hash.parse(parts[1]));
    }

    static ByteString ended(Epoch epoch, Ending how) {
        return text(epoch + " " + how);
    }

    static Ended ended(ByteString value) {
        String[] parts = value.toStringUtf8().split(" ", 2);
        if (parts.length < 2) {
            throw malformed("ended", value.toStringUtf8(), "epoch ENDING");
        }
        return new Ended(new Epoch(Long.parseLong(parts[0])), Ending.valueOf(parts[1]));
    }

    static ByteString height(Height height) {
        return text(height.toString());
    }

    static Height height(ByteString value) {
        return new Height(Long.parseLong(value.toStringUtf8()));
    }

    private static ByteString text(String text) {
        return ByteString.copyFromUtf8(text);
    }

    private static IllegalArgumentException malformed(String key, String value, String expected) {
        return new IllegalArgumentException(key + ": \"" + value + "\" (expected: " + expected + ")");
    }
}
