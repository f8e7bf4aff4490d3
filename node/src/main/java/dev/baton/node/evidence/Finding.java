package dev.baton.node.evidence;

import dev.baton.core.Holder;

/** What a probe met at the place where a holder's process was. */
sealed interface Finding {

    /** The machine answered that nobody listens there. */
    record Refused() implements Finding {}

    /** A process of the same cluster answered. */
    record Answered(Holder by) implements Finding {}

    /** Neither: silence, no route, a failed handshake, somebody else's answer. */
    record Unclear(String why) implements Finding {}
}
