package dev.baton.duty.mempool.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.core.Hash;
import dev.baton.duty.mempool.Event;
import dev.baton.duty.mempool.EventBatch;
import dev.baton.duty.mempool.Stage;
import dev.baton.duty.mempool.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the stream of events, a few steps at a time. */
final class StreamReader implements Subscription {

    private static final int STEPS = 16;
    private static final int DIGITS = 2 * Hash.SIZE;

    private final Lines lines;
    private final Calls calls;
    private final Bell bell;
    private volatile long position;

    StreamReader(Lines lines, Calls calls, Bell bell, long after) {
        this.lines = lines;
        this.calls = calls;
        this.bell = bell;
        this.position = after;
    }

    @Override
    public EventBatch poll(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            long heard = bell.heard();
            EventBatch batch = read();
            boolean nothing =
                    batch instanceof EventBatch.Next next && next.events().isEmpty();
            long leftNanos = end - System.nanoTime();
            if (!nothing || leftNanos <= 0) {
                return batch;
            }
            bell.await(heard, leftNanos);
        }
    }

    private EventBatch read() {
        Reply reply = new Reply(lines.run(
                Script.EVENTS,
                calls.state(),
                calls.plain(Calls.bytes(Long.toString(position + 1)), Calls.bytes(Integer.toString(STEPS)))));
        return switch (reply.text()) {
            case "BEHIND" -> new EventBatch.FellBehind(position + 1, reply.number());
            case "EVENTS" -> new EventBatch.Next(events(reply));
            default -> new EventBatch.Next(List.of());
        };
    }

    private List<Event> events(Reply reply) {
        List<Event> found = new ArrayList<>();
        while (reply.hasMore()) {
            long id = reply.number();
            String changes = new String(reply.array(), UTF_8);
            for (int at = 0; at < changes.length(); at += DIGITS + 1, id++) {
                if (id > position) {
                    Hash hash = Hash.parse(changes.substring(at + 1, at + 1 + DIGITS));
                    found.add(new Event(id, hash, Stage.of(changes.charAt(at))));
                }
            }
        }
        if (!found.isEmpty()) {
            position = found.getLast().id();
        }
        return found;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void seek(long after) {
        position = after;
    }

    @Override
    public void close() {}
}
