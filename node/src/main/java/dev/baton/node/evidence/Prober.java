package dev.baton.node.evidence;

import java.net.InetSocketAddress;
import java.time.Duration;

/** Looks who is at a place. Blocks for about as long as it may. */
@FunctionalInterface
interface Prober {
    Finding probe(InetSocketAddress place, Duration patience);
}
