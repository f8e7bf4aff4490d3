package dev.baton.duty.tokens.state;

import java.util.Arrays;

/** The reservations of a batch in one namespace, one behind the other. Arrays, since there may be many. */
public final class Run {

    /** Stands for "without an id". */
    static final int NOBODY = -1;

    private final int namespace;
    private final long firstToken;
    private long[] counts = new long[4];
    private int[] clients = new int[4];
    private long[] sequences = new long[4];
    private int size;

    Run(int namespace, long firstToken) {
        this.namespace = namespace;
        this.firstToken = firstToken;
    }

    int namespace() {
        return namespace;
    }

    long firstToken() {
        return firstToken;
    }

    int size() {
        return size;
    }

    void add(long count, int client, long sequence) {
        if (size == counts.length) {
            counts = Arrays.copyOf(counts, size * 2);
            clients = Arrays.copyOf(clients, size * 2);
            sequences = Arrays.copyOf(sequences, size * 2);
        }
        counts[size] = count;
        clients[size] = client;
        sequences[size] = sequence;
        size++;
    }

    /**
     * Adds a reservation that nobody will ask for again. Nothing needs to be known of it but how many tokens it took, so
     * those behind one another become one, as far as that is no more than {@code most}.
     *
     * @return whether it is one more, and takes room
     */
    boolean addNameless(long count, long most) {
        int last = size - 1;
        if (last >= 0 && clients[last] == NOBODY && count <= most - counts[last]) {
            counts[last] += count;
            return false;
        }
        add(count, NOBODY, 0);
        return true;
    }

    long count(int i) {
        return counts[i];
    }

    /** Its position among the batch's clients, or {@link #NOBODY}. */
    int client(int i) {
        return clients[i];
    }

    long sequence(int i) {
        return sequences[i];
    }
}
