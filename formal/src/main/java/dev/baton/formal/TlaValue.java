package dev.baton.formal;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A value as TLC prints it. */
sealed interface TlaValue {

    /** As short as a reader can still understand. */
    String brief();

    /** A number, a name, a string. */
    record Atom(String text) implements TlaValue {
        @Override
        public String brief() {
            return text;
        }
    }

    record Sequence(List<TlaValue> items) implements TlaValue {
        @Override
        public String brief() {
            return items.isEmpty() ? "-" : joined(items);
        }
    }

    record Members(List<TlaValue> items) implements TlaValue {
        @Override
        public String brief() {
            return "{" + joined(items) + "}";
        }
    }

    /** A record or a function; both map keys to values. */
    record Mapping(Map<String, TlaValue> entries) implements TlaValue {
        @Override
        public String brief() {
            TlaValue author = entries.get("author");
            TlaValue ballot = entries.containsKey("ballot") ? entries.get("ballot") : entries.get("epoch");
            if (author != null && ballot != null) {
                return author.brief() + "@" + ballot.brief() + installed();
            }
            return entries.entrySet().stream()
                    .map(entry -> entry.getKey() + ": " + entry.getValue().brief())
                    .collect(Collectors.joining("; ", "(", ")"));
        }

        /** The set that a ledger entry installs, if it installs one. */
        private String installed() {
            TlaValue after = entries.get("after");
            return after == null || after.equals(entries.get("under")) ? "" : " installing " + after.brief();
        }
    }

    private static String joined(List<TlaValue> items) {
        return items.stream().map(TlaValue::brief).collect(Collectors.joining(", "));
    }
}
