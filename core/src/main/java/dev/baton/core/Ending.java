package dev.baton.core;

/** How a term ended, as far as its successor knows. */
public enum Ending {
    /** There was no term before. */
    NONE(0),
    /** Its holder resigned. */
    RESIGNED(1),
    /** Its holder handed the seat over by ticket. */
    HANDED_OFF(2),
    /** Its lease ran out, or the engine elected another node. */
    LAPSED(3),
    /** There was evidence that its process was gone. */
    REPLACED(4);

    private final int code;

    Ending(int code) {
        this.code = code;
    }

    /** The number that stands for it in stored bytes; fixed for ever. */
    public int code() {
        return code;
    }

    public static Ending ofCode(int code) {
        for (Ending ending : values()) {
            if (ending.code == code) {
                return ending;
            }
        }
        throw new IllegalArgumentException("ending: code " + code + " (expected: 0 to 4)");
    }
}
