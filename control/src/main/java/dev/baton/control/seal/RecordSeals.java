package dev.baton.control.seal;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Seals the records that one node hands to another, so that nobody else can write into the book. */
public final class RecordSeals {

    private static final String PURPOSE = "baton audit records 1";

    private final ClusterKey key;

    public RecordSeals(ClusterKey key) {
        this.key = key;
    }

    public ByteString seal(List<String> records) {
        return ByteString.copyFrom(key.seal(PURPOSE, statement(records)));
    }

    public boolean isSealed(List<String> records, ByteString seal) {
        return key.isSealed(PURPOSE, statement(records), seal.toByteArray());
    }

    private static byte[] statement(List<String> records) {
        return String.join("\n", records).getBytes(StandardCharsets.UTF_8);
    }
}
