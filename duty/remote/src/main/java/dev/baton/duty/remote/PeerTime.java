package dev.baton.duty.remote;

/**
 * A moment on the clock of a sequencer's process.
 *
 * @param incarnation which process; a restarted one has another clock
 * @param millis since that process began
 */
public record PeerTime(long incarnation, long millis) {}
