package dev.baton.core;

import java.util.regex.Pattern;

/** The one spelling rule for names that end up in file names, keys, metrics and certificates. */
final class Names {

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    private Names() {}

    static String checked(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(what + ": \"" + name
                    + "\" (expected: 1 to 63 of a-z, 0-9 and '-', beginning and ending with a letter or digit)");
        }
        return name;
    }
}
