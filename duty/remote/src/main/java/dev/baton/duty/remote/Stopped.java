package dev.baton.duty.remote;

import dev.baton.core.Hash;
import java.util.Optional;

/** What came of asking a sequencer to stop. Only a look that finds it inactive proves anything. */
public sealed interface Stopped {

    /** It says that it stopped; at which block, if its API tells. */
    record Agreed(Optional<Hash> head) implements Stopped {}

    record Refused(String why) implements Stopped {}

    record Unknown(String why) implements Stopped {}
}
