package dev.baton.duty.mempool.redis;

import static dev.baton.duty.mempool.redis.Calls.bytes;

import dev.baton.core.Epoch;
import dev.baton.core.Hash;
import dev.baton.duty.mempool.Assumed;
import dev.baton.duty.mempool.ChainBlock;
import dev.baton.duty.mempool.Confirmation;
import dev.baton.duty.mempool.FinalizedTransaction;
import dev.baton.duty.mempool.InflightTransaction;
import dev.baton.duty.mempool.InvalidRequestException;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.MempoolLimits;
import dev.baton.duty.mempool.MempoolStats;
import dev.baton.duty.mempool.Page;
import dev.baton.duty.mempool.PendingTransaction;
import dev.baton.duty.mempool.Point;
import dev.baton.duty.mempool.Received;
import dev.baton.duty.mempool.Requests;
import dev.baton.duty.mempool.Stage;
import dev.baton.duty.mempool.Status;
import dev.baton.duty.mempool.Subscription;
import dev.baton.duty.mempool.Transaction;
import dev.baton.duty.mempool.WatcherTerm;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pool in one Redis that any number of nodes share.
 *
 * <p>Each operation is one script, which runs alone; all keys share a tag, so a Redis Cluster keeps them on one node. The
 * pool is as durable as that Redis.
 */
public final class RedisMempool implements Mempool {

    /** So few that nobody else waits long for them. */
    private static final int RECEIVED_AT_ONCE = 50;

    private final MempoolLimits limits;
    private final Lines lines;
    private final Calls calls;
    private final Bell bell;

    private RedisMempool(MempoolLimits limits, Lines lines, Calls calls) {
        this.limits = limits;
        this.lines = lines;
        this.calls = calls;
        this.bell = new Bell(lines, calls.events());
    }

    /**
     * Connects. Throws {@link dev.baton.duty.mempool.UnavailableException} if Redis cannot be reached, and {@link
     * RedisRefusedException} if it is not fit for a pool.
     */
    public static RedisMempool open(RedisMempoolSettings settings, MempoolLimits limits) {
        return open(settings, limits, null);
    }

    /** With a clock for claims, where a test needs to move it. */
    static RedisMempool open(RedisMempoolSettings settings, MempoolLimits limits, @Nullable InstantSource clockOrNull) {
        Lines lines = Lines.open(settings);
        try {
            Calls calls = new Calls(settings.keyPrefix(), limits, clockOrNull);
            StartCheck.run(lines, settings, calls.state());
            return new RedisMempool(limits, lines, calls);
        } catch (RuntimeException e) {
            lines.close();
            throw e;
        }
    }

    private Reply run(Script script, byte[]... arguments) {
        return new Reply(lines.run(script, calls.state(), arguments));
    }

    @Override
    public Received receive(Transaction transaction) {
        return receiveAll(List.of(transaction)).getFirst();
    }

    @Override
    public List<Received> receiveAll(List<Transaction> transactions) {
        transactions.forEach(transaction -> Requests.check(transaction, limits));
        long now = System.currentTimeMillis();
        List<byte[][]> steps = new ArrayList<>();
        for (int from = 0; from < transactions.size(); from += RECEIVED_AT_ONCE) {
            int to = Math.min(transactions.size(), from + RECEIVED_AT_ONCE);
            steps.add(calls.receive(transactions.subList(from, to), now));
        }
        List<Received> all = new ArrayList<>();
        for (List<Object> answer : lines.runAll(Script.RECEIVE, calls.receiveKeys(), steps)) {
            Reply reply = new Reply(answer);
            while (reply.hasMore()) {
                all.add(received(transactions.get(all.size()).hash(), reply));
            }
        }
        return all;
    }

    private Received received(Hash hash, Reply reply) {
        String word = reply.text();
        Received received = switch (word) {
            case "ACCEPTED" -> new Received.Accepted(hash, reply.number());
            case "DUPLICATE" -> new Received.Duplicate(hash, reply.stage());
            case "FULL" -> new Received.Full(hash, reply.number(), limits.maxPending());
            case "CONFLICT" -> new Received.Conflict(hash, reply.bytes(), reply.hash());
            default -> throw new IllegalStateException("reply: " + word + " (expected: a reply of receive)");
        };
        if (!word.equals("CONFLICT")) {
            reply.skip();
        }
        return received;
    }

    @Override
    public boolean hasPending() {
        return run(Script.HAS_PENDING, calls.plain()).number() > 0;
    }

    @Override
    public Page<PendingTransaction> peekPending(long after, int limit) {
        Requests.check(after, limit);
        Reply reply = run(Script.PEEK_PENDING, calls.page(after, limit));
        boolean hasMore = reply.number() > limit;
        List<PendingTransaction> found = new ArrayList<>();
        while (reply.hasMore()) {
            Hash hash = reply.hash();
            long arrival = reply.number();
            Envelope envelope = Envelope.decode(reply.array());
            found.add(new PendingTransaction(hash, arrival, envelope.payload(), envelope.receivedAtMillis()));
        }
        return new Page<>(found, found.isEmpty() ? after : found.getLast().arrival(), hasMore);
    }

    @Override
    public List<Hash> markInflight(String owner, Duration lease, List<Hash> hashes) {
        Requests.check(owner, lease, hashes);
        return hashes(
                run(Script.MARK_INFLIGHT, calls.of(hashes, bytes(owner), bytes(Long.toString(lease.toMillis())))));
    }

    @Override
    public List<Hash> markAcknowledged(List<Hash> hashes) {
        Requests.check(hashes);
        return hashes(run(Script.MARK_ACKNOWLEDGED, calls.of(hashes)));
    }

    private static List<Hash> hashes(Reply reply) {
        List<Hash> all = new ArrayList<>();
        while (reply.hasMore()) {
            all.add(reply.hash());
        }
        return all;
    }

    @Override
    public Optional<InflightTransaction> findInflight(Hash hash) {
        Reply reply = run(Script.FIND_INFLIGHT, calls.of(hash));
        return reply.hasMore() ? Optional.of(inflight(reply, reply.number(), reply.number())) : Optional.empty();
    }

    private static InflightTransaction inflight(Reply reply, long height, long arrived) {
        Hash hash = reply.hash();
        Stage stage = reply.stage();
        long arrival = reply.number();
        Envelope envelope = Envelope.decode(reply.array());
        String owner = reply.text();
        long base = reply.number();
        boolean confirmed = stage == Stage.CONFIRMED;
        return new InflightTransaction(
                hash,
                arrival,
                stage,
                envelope.payload(),
                owner,
                confirmed ? height - base + 1 : 0,
                confirmed ? 0 : arrived - base,
                reply.optionalPoint());
    }

    @Override
    public Page<InflightTransaction> peekInflight(long after, int limit) {
        Requests.check(after, limit);
        Reply reply = run(Script.PEEK_INFLIGHT, calls.page(after, limit));
        boolean hasMore = reply.number() > limit;
        long height = reply.number();
        long arrived = reply.number();
        List<InflightTransaction> found = new ArrayList<>();
        while (reply.hasMore()) {
            found.add(inflight(reply, height, arrived));
        }
        return new Page<>(found, found.isEmpty() ? after : found.getLast().arrival(), hasMore);
    }

    @Override
    public Confirmation begin(WatcherTerm term, ChainBlock block) {
        return run(
                        Script.BEGIN,
                        calls.watcher(
                                term,
                                bytes(block.point().toString()),
                                bytes(block.parent().toString()),
                                Calls.joined(block.seen()),
                                Calls.joined(block.unseen())))
                .confirmation(term);
    }

    @Override
    public Confirmation beginRollback(WatcherTerm term, Point last) {
        return run(Script.BEGIN_ROLLBACK, calls.watcher(term, bytes(last.toString())))
                .confirmation(term);
    }

    @Override
    public Confirmation advance(WatcherTerm term) {
        return run(Script.ADVANCE, calls.watcher(term)).confirmation(term);
    }

    @Override
    public Assumed assume(WatcherTerm term) {
        List<Object> answer = lines.run(Script.ASSUME, calls.state(), calls.watcher(term));
        Reply reply = new Reply(answer);
        if (reply.text().equals("WATCHING")) {
            return new Assumed.Watching(reply.point(), reply.optionalPoint());
        }
        Confirmation refused = new Reply(answer).confirmation(term);
        return switch (refused) {
            case Confirmation.Fenced(WatcherTerm shown, WatcherTerm stored) -> new Assumed.Fenced(shown, stored);
            case Confirmation.OtherSeat(WatcherTerm shown, WatcherTerm stored) -> new Assumed.OtherSeat(shown, stored);
            default -> throw new IllegalStateException("reply: " + refused + " (expected: a reply of assume)");
        };
    }

    @Override
    public Status checkStatus(Hash hash) {
        Reply reply = run(Script.STATUS, calls.of(hash));
        String first = reply.text();
        if (first.isEmpty()) {
            return Status.unknown(hash);
        }
        if (!reply.hasMore()) {
            FinalizedTransaction ended = ended(hash, 0, first);
            return new Status(hash, ended.stage(), ended.confirmations(), 0, ended.confirmedAt());
        }
        Stage stage = Stage.of(first.charAt(0));
        long base = reply.number();
        Optional<Point> at = reply.optionalPoint();
        long height = reply.number();
        long arrived = reply.number();
        return new Status(
                hash,
                stage,
                stage == Stage.CONFIRMED ? height - base + 1 : 0,
                stage == Stage.PROPAGATED || stage == Stage.ACKNOWLEDGED ? arrived - base : 0,
                at);
    }

    /** Reads the line that is left of a transaction: stage, confirmations, where it was confirmed, what ended it. */
    private static FinalizedTransaction ended(Hash hash, long number, String line) {
        String[] parts = line.split(" ", -1);
        Point at = Point.parse(parts[2]);
        return new FinalizedTransaction(
                hash,
                number,
                Stage.of(parts[0].charAt(0)),
                Long.parseLong(parts[1]),
                at.equals(Point.ORIGIN) ? Optional.empty() : Optional.of(at),
                Point.parse(parts[3]));
    }

    @Override
    public Page<FinalizedTransaction> dumpFinalized(long after, int limit) {
        Requests.check(after, limit);
        Reply reply = run(Script.DUMP_FINALIZED, calls.page(after, limit));
        boolean hasMore = reply.number() > limit;
        List<FinalizedTransaction> found = new ArrayList<>();
        while (reply.hasMore()) {
            found.add(ended(reply.hash(), reply.number(), reply.text()));
        }
        return new Page<>(found, found.isEmpty() ? after : found.getLast().number(), hasMore);
    }

    @Override
    public Subscription subscribe(long after) {
        if (after < 0 || after > Epoch.MAX_VALUE) {
            throw new InvalidRequestException("after", Long.toString(after), "0, or the id of an event");
        }
        bell.ring();
        return new StreamReader(lines, calls, bell, after);
    }

    @Override
    public MempoolStats stats() {
        Reply reply = run(Script.STATS, calls.plain());
        long pending = reply.number();
        long inflight = reply.number();
        long propagated = reply.number();
        long confirmed = reply.number();
        long finalized = reply.number();
        byte[] oldest = reply.array();
        return new MempoolStats(
                pending,
                inflight,
                propagated,
                confirmed,
                finalized,
                oldest.length == 0
                        ? Optional.empty()
                        : Optional.of(Envelope.decode(oldest).receivedAtMillis()),
                reply.number(),
                reply.number(),
                reply.number(),
                reply.point(),
                reply.optionalTerm());
    }

    @Override
    public MempoolLimits limits() {
        return limits;
    }

    @Override
    public void close() {
        bell.close();
        lines.close();
    }
}
