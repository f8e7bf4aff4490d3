package dev.baton.duty.mempool.local;

import dev.baton.core.ClusterId;
import dev.baton.core.Epoch;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.SeatId;
import dev.baton.core.SeatName;
import dev.baton.duty.mempool.Event;
import dev.baton.duty.mempool.FinalizedTransaction;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Stage;
import dev.baton.duty.mempool.WatcherTerm;
import dev.baton.duty.mempool.cbor.CborReader;
import dev.baton.duty.mempool.cbor.CborWriter;
import java.util.Optional;

/** The pool's records as they stand in a file. */
final class Records {

    static final int VERSION = 1;

    private Records() {}

    static byte[] encode(LiveTransaction live) {
        return new CborWriter(VERSION)
                .hash(live.hash())
                .number(live.arrival())
                .bytes(live.payload())
                .allBytes(live.conflictKeys())
                .number(live.receivedAtMillis())
                .number(live.stage().letter())
                .number(live.base())
                .text(live.owner())
                .number(live.leaseEndsMillis())
                .point(live.confirmedAt())
                .finished();
    }

    static LiveTransaction live(byte[] record) {
        CborReader in = new CborReader(record, VERSION);
        return new LiveTransaction(
                in.hash(),
                in.number(),
                in.bytes(),
                in.allBytes(),
                in.number(),
                Stage.of((char) in.number()),
                in.number(),
                in.text(),
                in.number(),
                in.optionalPoint());
    }

    static byte[] encode(FinalizedTransaction ended) {
        return new CborWriter(VERSION)
                .hash(ended.hash())
                .number(ended.number())
                .number(ended.stage().letter())
                .number(ended.confirmations())
                .point(ended.confirmedAt())
                .point(ended.endedBy())
                .finished();
    }

    static FinalizedTransaction ended(byte[] record) {
        CborReader in = new CborReader(record, VERSION);
        return new FinalizedTransaction(
                in.hash(), in.number(), Stage.of((char) in.number()), in.number(), in.optionalPoint(), in.point());
    }

    static byte[] encode(Event event) {
        return new CborWriter(VERSION)
                .number(event.id())
                .hash(event.hash())
                .number(event.stage().letter())
                .finished();
    }

    static Event event(byte[] record) {
        CborReader in = new CborReader(record, VERSION);
        return new Event(in.number(), in.hash(), Stage.of((char) in.number()));
    }

    static byte[] encode(Point point) {
        return new CborWriter(VERSION).point(point).finished();
    }

    static Point point(byte[] record) {
        return new CborReader(record, VERSION).point();
    }

    static byte[] encode(Work work) {
        return new CborWriter(VERSION)
                .number(work.undoes() ? 1 : 0)
                .point(work.point())
                .hashes(work.seen())
                .hashes(work.unseen())
                .number(work.seenDone())
                .number(work.unseenDone())
                .finished();
    }

    static Work work(byte[] record) {
        CborReader in = new CborReader(record, VERSION);
        return new Work(in.number() == 1, in.point(), in.hashes(), in.hashes(), (int) in.number(), (int) in.number());
    }

    static byte[] encode(Counters counters) {
        CborWriter out = new CborWriter(VERSION)
                .number(counters.sequence())
                .number(counters.height())
                .number(counters.arrived())
                .number(counters.claimsReturned())
                .number(counters.fencedConfirms())
                .number(counters.watcher().isPresent() ? 1 : 0);
        counters.watcher()
                .ifPresent(term -> out.text(term.seat().cluster().value())
                        .text(term.seat().seat().value())
                        .number(term.seat().era().value())
                        .number(term.epoch().value()));
        return out.finished();
    }

    static Counters counters(byte[] record) {
        CborReader in = new CborReader(record, VERSION);
        return new Counters(
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number(),
                in.number() == 1 ? watcher(in) : Optional.empty());
    }

    private static Optional<WatcherTerm> watcher(CborReader in) {
        SeatId seat = new SeatId(new ClusterId(in.text()), new SeatName(in.text()), new Era((int) in.number()));
        return Optional.of(new WatcherTerm(seat, new Epoch(in.number())));
    }

    /** Keys sort as hashes do. */
    static String key(Hash hash) {
        return hash.toString();
    }
}
