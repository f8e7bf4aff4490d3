package dev.baton.duty.mempool.cbor;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads one record. What is not as it was written is refused with an {@link IllegalArgumentException}. */
public final class CborReader {

    private final JsonParser cbor;

    public CborReader(byte[] record, int version) {
        try {
            cbor = CborWriter.FACTORY.createParser(record);
        } catch (IOException e) {
            throw damaged("it cannot be read", e);
        }
        expect(JsonToken.START_ARRAY);
        long found = number();
        if (found != version) {
            throw new IllegalArgumentException("record: version " + found + " (expected: " + version
                    + "; a newer program has written it, or it is damaged)");
        }
    }

    private static IllegalArgumentException damaged(String why, IOException cause) {
        return new IllegalArgumentException("record: " + why + " (expected: CBOR of ours)", cause);
    }

    private void expect(JsonToken expected) {
        try {
            JsonToken found = cbor.nextToken();
            if (found != expected) {
                throw new IllegalArgumentException("record: " + found + " (expected: " + expected + ")");
            }
        } catch (IOException e) {
            throw damaged("it ends early", e);
        }
    }

    public long number() {
        expect(JsonToken.VALUE_NUMBER_INT);
        try {
            return cbor.getLongValue();
        } catch (IOException e) {
            throw damaged("a number is out of bounds", e);
        }
    }

    public String text() {
        expect(JsonToken.VALUE_STRING);
        try {
            return cbor.getText();
        } catch (IOException e) {
            throw damaged("a text cannot be read", e);
        }
    }

    private byte[] array() {
        expect(JsonToken.VALUE_EMBEDDED_OBJECT);
        try {
            return cbor.getBinaryValue();
        } catch (IOException e) {
            throw damaged("bytes cannot be read", e);
        }
    }

    public Bytes bytes() {
        return Bytes.wrap(array());
    }

    public Hash hash() {
        return Hash.of(array());
    }

    public Point point() {
        return new Point(number(), hash());
    }

    public Optional<Point> optionalPoint() {
        Point point = point();
        return point.equals(Point.ORIGIN) ? Optional.empty() : Optional.of(point);
    }

    public List<Hash> hashes() {
        return list(this::hash);
    }

    public List<Bytes> allBytes() {
        return list(this::bytes);
    }

    private <T> List<T> list(Supplier<T> each) {
        long count = number();
        List<T> all = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            all.add(each.get());
        }
        return all;
    }
}
