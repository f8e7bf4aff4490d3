package dev.baton.fence.http;

import dev.baton.fence.Fence;

/** The header with which a holder shows its fence: {@code Baton-Fence: cluster/seat/era/epoch}. */
public final class FenceHeader {

    public static final String NAME = "Baton-Fence";

    private FenceHeader() {}

    /** Its value for this fence. */
    public static String format(Fence fence) {
        return fence.toString();
    }

    /** Throws {@link IllegalArgumentException}, with what was expected, if this is no fence. */
    public static Fence parse(String value) {
        return Fence.parse(value.strip());
    }
}
