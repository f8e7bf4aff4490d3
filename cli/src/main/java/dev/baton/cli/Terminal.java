package dev.baton.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What the program's output goes to, as {@code ./baton} found out: the JVM itself cannot tell on every version. */
public final class Terminal {

    private static final int DEFAULT_COLUMNS = 100;
    private static final int LEAST_COLUMNS = 40;

    private Terminal() {}

    /** Whether a person watches, on something that can move its cursor. */
    public static boolean isInteractive() {
        String term = System.getenv("TERM");
        return Boolean.getBoolean("baton.terminal") && term != null && !term.equals("dumb");
    }

    public static int columns() {
        return Math.max(LEAST_COLUMNS, Integer.getInteger("baton.columns", DEFAULT_COLUMNS));
    }

    /** Asks a person; false if there is none. */
    public static boolean confirms(String question, Output output) {
        if (!Boolean.getBoolean("baton.terminal")) {
            return false;
        }
        output.remark(question + " [y/N]");
        try {
            String answer = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return answer != null && (answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
