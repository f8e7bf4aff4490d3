package dev.baton.control.audit;

import dev.baton.control.state.DurableText;
import dev.baton.core.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of this node on their way to the ledger. Thread-safe.
 *
 * <p>A record is on this node's disk before it is sent, and sent until the ledger has it, in order; so none is lost when
 * nobody holds the seat "control", or this node is cut off, or restarts.
 */
public final class Journal implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final int BATCH = 32;
    private static final long LONGEST_OUTBOX_BYTES = 256 << 10;
    private static final Duration RETRY = Duration.ofMillis(250);

    /** Brings records to the holder. Blocks; true once they are committed. */
    @FunctionalInterface
    public interface Delivery {
        boolean deliver(List<String> records) throws InterruptedException;
    }

    private record Pending(long sequence, String json, CompletableFuture<Boolean> committed) {}

    private final NodeId self;
    private final Path outbox;
    private final Delivery delivery;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Deque<Pending> pending = new ArrayDeque<>();
    private final Map<String, AuditRecord> ownAnswers = new HashMap<>();
    private final Thread courier;
    private long lastSequence;
    private boolean closed;

    private Journal(NodeId self, Path outbox, long firstSequence, Delivery delivery) {
        this.self = self;
        this.outbox = outbox;
        this.delivery = delivery;
        this.lastSequence = firstSequence;
        this.courier = Thread.ofVirtual().name("audit-courier").unstarted(this::carry);
    }

    /** Reads what could not be sent before, and begins to send. */
    public static Journal open(NodeId self, Path outbox, long nowMillis, Delivery delivery) throws IOException {
        // Sequence numbers only have to grow: those of a lost outbox are left behind by the clock.
        Journal journal = new Journal(self, outbox, nowMillis * 1000, delivery);
        boolean whole = true;
        byte[] kept = Files.exists(outbox) ? Files.readAllBytes(outbox) : new byte[0];
        for (String line : new String(kept, StandardCharsets.UTF_8).lines().toList()) {
            try {
                AuditRecord found = AuditRecord.ofJson(line);
                journal.remember(found, line, new CompletableFuture<>());
            } catch (IllegalArgumentException e) {
                whole = false;
                LOG.warn("{}: a line is left out, because a crash cut it off: {}", outbox, e.getMessage());
            }
        }
        if (!whole) { // or the next record would be written onto the rest of that line, and be as unreadable
            journal.rewrite(journal.pending.stream().map(Pending::json).toList());
        }
        journal.courier.start();
        return journal;
    }

    private void remember(AuditRecord added, String json, CompletableFuture<Boolean> committed) {
        lastSequence = Math.max(lastSequence, added.sequence());
        pending.addLast(new Pending(added.sequence(), json, committed));
        if (added.answersRetries()) {
            ownAnswers.putIfAbsent(added.scope(), added);
        }
    }

    private void rewrite(List<String> lines) throws IOException {
        DurableText.replace(outbox, lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
    }

    /** Writes down what is about to be done; it is on this node's disk on return, or nothing may be done. */
    public void begin(AuditRecord unnumbered) throws IOException {
        lock.lock();
        try {
            AuditRecord added = unnumbered.numbered(self.value(), ++lastSequence);
            String json = added.toJson();
            DurableText.append(outbox, json);
            var unused = send(added, json);
        } finally {
            lock.unlock();
        }
    }

    /** Writes down what was done; it is on this node's disk on return, and in the ledger when the stage ends. */
    public CompletionStage<Boolean> write(AuditRecord unnumbered) {
        lock.lock();
        try {
            AuditRecord added = unnumbered.numbered(self.value(), ++lastSequence);
            String json = added.toJson();
            try {
                DurableText.append(outbox, json);
            } catch (IOException e) {
                // It is still sent; only a crash before that would lose it, and that it was begun is on the disk.
                LOG.error("{} cannot be written: {}", outbox, e.toString());
            }
            return send(added, json);
        } finally {
            lock.unlock();
        }
    }

    private CompletableFuture<Boolean> send(AuditRecord added, String json) {
        CompletableFuture<Boolean> committed = new CompletableFuture<>();
        remember(added, json, committed);
        news.signal();
        return committed;
    }

    /** An answer of this node that may not have reached the ledger yet. */
    public Optional<AuditRecord> ownAnswer(String scope) {
        lock.lock();
        try {
            return Optional.ofNullable(ownAnswers.get(scope));
        } finally {
            lock.unlock();
        }
    }

    public int waitingCount() {
        lock.lock();
        try {
            return pending.size();
        } finally {
            lock.unlock();
        }
    }

    private void carry() {
        try {
            while (true) {
                List<Pending> batch = next();
                if (batch.isEmpty()) {
                    return;
                }
                if (delivery.deliver(batch.stream().map(Pending::json).toList())) {
                    delivered(batch);
                } else {
                    TimeUnit.MILLISECONDS.sleep(RETRY.toMillis()); // ends early when the journal is closed
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Pending> next() throws InterruptedException {
        lock.lock();
        try {
            while (pending.isEmpty() && !closed) {
                news.await();
            }
            return closed ? List.of() : pending.stream().limit(BATCH).toList();
        } finally {
            lock.unlock();
        }
    }

    private void delivered(List<Pending> batch) {
        lock.lock();
        try {
            batch.forEach(sent -> pending.removeFirst());
            if (pending.isEmpty()) {
                forget(batch.getLast());
            }
        } finally {
            lock.unlock();
        }
        batch.forEach(sent -> sent.committed().complete(true));
    }

    /**
     * Everything is in the ledger. Answers stay as long as the process: the ledger's copy may still be on its way here. The
     * last record stays, too, for its number: should the clock be set back, later ones must still have higher numbers, or
     * they would be taken for ones that were sent twice.
     */
    private void forget(Pending last) {
        try {
            if (Files.exists(outbox) && Files.size(outbox) > LONGEST_OUTBOX_BYTES) {
                rewrite(List.of(last.json()));
            }
            if (ownAnswers.size() > ControlState.REMEMBERED) {
                ownAnswers.clear();
            }
        } catch (IOException e) {
            LOG.warn("{} cannot be shortened: {}", outbox, e.toString());
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
        courier.interrupt();
    }
}
