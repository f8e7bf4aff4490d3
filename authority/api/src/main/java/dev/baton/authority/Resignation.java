package dev.baton.authority;

/** What came of giving a seat up. */
public sealed interface Resignation {

    /** The term is over: by this call, or it had ended before. */
    record Done() implements Resignation {}

    /** The term may still stand; its lease will end it. */
    record Unknown(String why) implements Resignation {}
}
