package dev.baton.sim;

import java.util.PriorityQueue;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Virtual time and everything that will happen in it, in one fixed order. */
public final class World {

    private final PriorityQueue<Happening> future = new PriorityQueue<>();
    private final RandomGenerator random;
    private final Transcript transcript = new Transcript();
    private long nowNanos;
    private long count;

    public World(long seed) {
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    public long nowNanos() {
        return nowNanos;
    }

    public RandomGenerator random() {
        return random;
    }

    public Transcript transcript() {
        return transcript;
    }

    /** Whether something happens with this probability. */
    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    public long between(long leastNanos, long mostNanos) {
        return random.nextLong(leastNanos, mostNanos + 1);
    }

    public void at(long atNanos, Runnable what) {
        future.add(new Happening(Math.max(atNanos, nowNanos), count++, what));
    }

    public void after(long delayNanos, Runnable what) {
        at(nowNanos + delayNanos, what);
    }

    /** A line of the transcript; its words are asked for later, or never, so they must not rest on what changes. */
    public void note(Supplier<String> words) {
        transcript.add(nowNanos, words);
    }

    /** Lets the next thing happen; false if nothing is left before {@code endNanos}. */
    boolean step(long endNanos) {
        Happening next = future.peek();
        if (next == null || next.atNanos > endNanos) {
            nowNanos = endNanos;
            return false;
        }
        future.poll();
        nowNanos = next.atNanos;
        next.what.run();
        return true;
    }

    long happened() {
        return count - future.size();
    }

    private record Happening(long atNanos, long order, Runnable what) implements Comparable<Happening> {
        @Override
        public int compareTo(Happening other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
