package dev.baton.node;

import java.util.List;
import java.util.OptionalLong;

/** How full the servers outside are that an engine runs on, where it has a limit that it stops at. */
public interface EngineRoom {

    /** Those that answer. Blocks for as long as they need, and no longer. */
    List<Used> now() throws InterruptedException;

    /**
     * What one server has used.
     *
     * @param quotaBytes where it stops, if it tells
     * @param isFull whether it has stopped already, and refuses what needs room
     */
    record Used(String server, long bytes, OptionalLong quotaBytes, boolean isFull) {}
}
