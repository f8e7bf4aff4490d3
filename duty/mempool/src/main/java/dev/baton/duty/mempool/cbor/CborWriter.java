package dev.baton.duty.mempool.cbor;

import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.Point;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Writes one record: a CBOR array that begins with the version of its form. */
public final class CborWriter {

    static final CBORFactory FACTORY = new CBORFactory();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final CBORGenerator cbor;

    public CborWriter(int version) {
        try {
            cbor = FACTORY.createGenerator(out);
            cbor.writeStartArray();
            cbor.writeNumber(version);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Part {
        void write() throws IOException;
    }

    private CborWriter add(Part part) {
        try {
            part.write();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public CborWriter number(long value) {
        return add(() -> cbor.writeNumber(value));
    }

    public CborWriter text(String value) {
        return add(() -> cbor.writeString(value));
    }

    public CborWriter bytes(Bytes value) {
        return add(() -> cbor.writeBinary(value.toArray()));
    }

    public CborWriter hash(Hash value) {
        return add(() -> cbor.writeBinary(value.toArray()));
    }

    public CborWriter point(Point value) {
        return number(value.number()).hash(value.hash());
    }

    /** The origin stands for none: no block is there. */
    public CborWriter point(Optional<Point> value) {
        return point(value.orElse(Point.ORIGIN));
    }

    public CborWriter hashes(List<Hash> values) {
        number(values.size());
        values.forEach(this::hash);
        return this;
    }

    public CborWriter allBytes(List<Bytes> values) {
        number(values.size());
        values.forEach(this::bytes);
        return this;
    }

    public byte[] finished() {
        add(() -> {
            cbor.writeEndArray();
            cbor.close();
        });
        return out.toByteArray();
    }
}
