package dev.baton.duty.remote;

/** What came of asking a sequencer how it is. */
public sealed interface Looked {

    record Seen(RemoteView view) implements Looked {}

    /** No answer, or none that makes sense. It says nothing about whether the sequencer works. */
    record Silent(String why) implements Looked {}
}
