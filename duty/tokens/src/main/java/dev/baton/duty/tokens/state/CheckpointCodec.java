package dev.baton.duty.tokens.state;

import dev.baton.core.Bytes;
import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.duty.tokens.RequestId;
import dev.baton.duty.tokens.TokenSettings.Region;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The byte form of the whole state: the same entries lead to the same bytes on every node. What an earlier version wrote
 * can be read, so that a cluster is upgraded without losing what it has.
 *
 * <p>Format byte, the head that it covers, then each part in order; a SHA-256 over all of it ends it.
 */
public final class CheckpointCodec {

    private static final int FORMAT = 2;

    /** As it was before: a client is spelt out with each of its requests, and heights are whole. Read, not written. */
    private static final int SPELT_OUT = 1;

    /** A state and the entry after which it was so. */
    public record Restored(TokenState state, Head head) {}

    private CheckpointCodec() {}

    public static Bytes encode(TokenState state, Head head) {
        Packer out = new Packer();
        out.octet(FORMAT);
        out.number(head.height().value());
        out.fixed(head.hash().toArray());
        writeTerms(state, out);
        out.number(state.namespaceCount());
        for (int id = 0; id < state.namespaceCount(); id++) {
            write(state.namespace(id), out);
        }
        writeWindow(state.window(), out);
        out.fixed(digest(out.toArray()));
        return out.toBytes();
    }

    private static void writeTerms(TokenState state, Packer out) {
        TokenState.Terms terms = state.terms();
        out.number(terms.last().value());
        out.number(terms.settled().value());
        out.number(terms.revision());
        out.octet(terms.settledLeased() ? 1 : 0);
        out.text(terms.address());
        Region region = state.region().orElse(null);
        out.number(region == null ? 0 : region.index());
        out.number(region == null ? 0 : region.of());
    }

    private static void write(Namespace namespace, Packer out) {
        Shape shape = namespace.shape();
        out.text(shape.name());
        out.octet(BatchCodec.codeOf(shape.guarantee()));
        out.number(shape.start());
        out.number(shape.step());
        out.number(shape.ceiling());
        out.number(shape.maxCount());
        out.number(shape.created().value());
        out.number(shape.shards());
        out.number(namespace.reserved());
        out.octet(namespace.isFrozen() ? 1 : 0);
        out.number(namespace.spanCount());
        for (Namespace.Span span : namespace.spans()) {
            out.number(span.epoch().value());
            out.number(span.revision());
            out.number(span.first());
            out.number(span.end());
            out.number(span.from().value());
            out.number(span.to().value());
            out.number(span.gapFrom());
        }
    }

    /** Most of a checkpoint is this: so a client is written once, and a height as what it is above the one before. */
    private static void writeWindow(RequestWindow window, Packer out) {
        out.number(window.places());
        Map<String, Integer> clients = new LinkedHashMap<>();
        for (RequestId id : window.requests().keySet()) {
            clients.putIfAbsent(id.client(), clients.size());
        }
        out.number(clients.size());
        clients.keySet().forEach(out::text);
        out.number(window.requests().size());
        long height = 0;
        for (Map.Entry<RequestId, RequestWindow.Remembered> each :
                window.requests().entrySet()) {
            RequestWindow.Remembered request = each.getValue();
            out.number(clients.getOrDefault(each.getKey().client(), 0));
            out.number(each.getKey().sequence());
            out.number(request.namespace());
            out.number(request.firstIndex());
            out.number(request.count());
            out.number(request.epoch().value());
            out.number(request.height().value() - height);
            height = request.height().value();
        }
        out.number(window.forgotten().size());
        for (Map.Entry<String, Long> each : window.forgotten().entrySet()) {
            out.text(each.getKey());
            out.number(each.getValue());
        }
    }

    /** Reads what {@link #encode} wrote; bytes of another shape are refused with an {@link IllegalArgumentException}. */
    public static Restored decode(Bytes checkpoint) {
        byte[] bytes = checkpoint.toArray();
        int length = bytes.length - Hash.SIZE;
        if (length < 1) {
            throw new IllegalArgumentException(
                    "token checkpoint: " + bytes.length + " bytes (expected: " + (1 + Hash.SIZE) + " or more)");
        }
        Unpacker in = new Unpacker("token checkpoint", bytes, length);
        int format = in.octet();
        if (format != FORMAT && format != SPELT_OUT) {
            throw in.refused("format " + format + " (expected: " + SPELT_OUT + " or " + FORMAT + ")");
        }
        Hash stored = Hash.of(Arrays.copyOfRange(bytes, length, bytes.length));
        if (!Hash.sha256(ByteBuffer.wrap(bytes, 0, length)).equals(stored)) {
            throw in.refused("the checksum differs (expected: the bytes that were written)");
        }
        Head head = new Head(new Height(in.number()), Hash.of(in.fixed(Hash.SIZE)));
        TokenState state = new TokenState();
        readTerms(in, state);
        for (int left = in.count(); left > 0; left--) {
            state.add(readNamespace(in, state.namespaceCount()));
        }
        readWindow(in, state, format == SPELT_OUT);
        in.end();
        return new Restored(state, head);
    }

    private static void readTerms(Unpacker in, TokenState state) {
        TokenState.Terms terms =
                new TokenState.Terms(new Epoch(in.number()), new Epoch(in.number()), in.number(), in.flag(), in.text());
        int index = in.smallNumber(Integer.MAX_VALUE);
        int of = in.smallNumber(Integer.MAX_VALUE);
        @Nullable Region region = of == 0 ? null : new Region(index, of);
        state.restore(terms, region);
    }

    private static Namespace readNamespace(Unpacker in, int id) {
        Shape shape = readShape(in, id);
        Namespace namespace = new Namespace(shape);
        long reserved = in.number();
        if (reserved > shape.capacity()) {
            throw in.refused(reserved + " tokens of " + shape.name());
        }
        boolean frozen = in.flag();
        List<Namespace.Span> spans = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            spans.add(new Namespace.Span(
                    new Epoch(in.number()),
                    in.number(),
                    in.number(),
                    in.number(),
                    new Height(in.number()),
                    new Height(in.number()),
                    in.number()));
        }
        namespace.restore(reserved, frozen, spans);
        return namespace;
    }

    private static Shape readShape(Unpacker in, int id) {
        return new Shape(
                id,
                in.text(),
                BatchCodec.guarantee(in),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                new Height(in.number()),
                in.smallNumber(Integer.MAX_VALUE));
    }

    private static void readWindow(Unpacker in, TokenState state, boolean speltOut) {
        RequestWindow window = state.window();
        window.resize(in.smallNumber(Integer.MAX_VALUE));
        List<String> clients = new ArrayList<>();
        for (int left = speltOut ? 0 : in.count(); left > 0; left--) {
            clients.add(in.text());
        }
        long height = 0;
        for (int left = in.count(); left > 0; left--) {
            String client = speltOut ? in.text() : clients.get(in.smallNumber(clients.size() - 1L));
            RequestId id = new RequestId(client, in.number());
            int namespace = in.smallNumber(state.namespaceCount() - 1L);
            long firstIndex = in.number();
            long count = in.number();
            Epoch epoch = new Epoch(in.number());
            height = in.number() + (speltOut ? 0 : height);
            window.add(id, new RequestWindow.Remembered(namespace, firstIndex, count, epoch, new Height(height)));
        }
        for (int left = in.count(); left > 0; left--) {
            window.restoreForgotten(in.text(), in.number());
        }
    }

    private static byte[] digest(byte[] content) {
        return Hash.sha256(ByteBuffer.wrap(content)).toArray();
    }
}
