package dev.baton.authority;

/** How much one read may return; at least one entry is returned if there is one, whatever its size. */
public record PageLimit(int entries, int bytes) {

    public static final PageLimit DEFAULT = new PageLimit(512, 4 << 20);

    public PageLimit {
        if (entries < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "page limit: " + entries + " entries, " + bytes + " bytes (expected: 1 or more of each)");
        }
    }
}
