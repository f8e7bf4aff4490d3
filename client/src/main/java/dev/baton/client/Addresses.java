package dev.baton.client;

import java.util.List;

/** Which node to ask: the one that was named as the holder, or else one of the given ones after the other. */
final class Addresses {

    private final List<String> given;
    private int last;
    private String current;

    Addresses(List<String> given) {
        this.given = given;
        this.current = given.getFirst();
    }

    synchronized String current() {
        return current;
    }

    synchronized void follow(String holder) {
        current = holder;
    }

    /** Goes on to the next given address, unless somebody else has left the failed one already. */
    synchronized void leave(String failed) {
        if (!current.equals(failed)) {
            return;
        }
        int from = given.indexOf(failed);
        last = ((from >= 0 ? from : last) + 1) % given.size();
        current = given.get(last);
    }
}
