package dev.baton.node.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody may have meant. */
final class Spelling {

    private Spelling() {}

    /** The closest name, if it is close: a third of the letters may be wrong, and two in short words. */
    static Optional<String> nearest(String written, Collection<String> names) {
        int tolerance = Math.max(2, written.length() / 3);
        return names.stream()
                .filter(name -> distance(written, name) <= tolerance)
                .min(Comparator.comparingInt(name -> distance(written, name)));
    }

    /** How many letters must be added, removed or changed. */
    static int distance(String one, String other) {
        int[] above = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[other.length() + 1];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = above[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[other.length()];
    }
}
