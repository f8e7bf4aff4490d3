package dev.baton.authority.redis.quorum;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import java.util.concurrent.CompletionStage;

/** The way to one Redis node, for one seat. Thread-safe; nothing blocks. */
public interface Link {

    /** The {@code host:port} of the node. */
    String address();

    /**
     * Sends the ask at most once: it is never repeated behind the asker's back. Always completes normally, within the
     * link's timeout: what goes wrong is {@link Answer.Lost} or {@link Answer.Unsent}.
     */
    CompletionStage<Answer> ask(Ask ask, Lane lane);

    /** When the node writes to its disk, as last seen; {@code LATER} if it cannot be known. */
    Fsync fsync();

    /** The run id of the node's process, as last seen; empty if it was never reached. */
    String runId();

    /** What must not wait for what. */
    enum Lane {
        /** Short asks that somebody waits for. */
        EXPRESS,
        /** Pages and repairs, which may be large. */
        BULK
    }
}
