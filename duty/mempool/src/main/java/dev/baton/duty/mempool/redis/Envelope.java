package dev.baton.duty.mempool.redis;

import dev.baton.core.Bytes;
import dev.baton.duty.mempool.cbor.CborReader;
import dev.baton.duty.mempool.cbor.CborWriter;

/** What the scripts never look into: the payload, and when it came. */
record Envelope(Bytes payload, long receivedAtMillis) {

    private static final int VERSION = 1;

    byte[] encode() {
        return new CborWriter(VERSION).bytes(payload).number(receivedAtMillis).finished();
    }

    static Envelope decode(byte[] record) {
        CborReader in = new CborReader(record, VERSION);
        return new Envelope(in.bytes(), in.number());
    }
}
