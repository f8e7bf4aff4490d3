package dev.baton.duty.tokens;

import java.util.Map;

/**
 * What the token duty of a node has counted since the node started.
 *
 * @param waiting requests that wait for a commit now
 * @param handed tokens handed out, by namespace
 * @param requests requests answered with tokens
 * @param commits entries that carried requests
 * @param duplicates retries that were recognised
 * @param refusals requests refused, by reason
 * @param checkpointBytes the size of the last checkpoint
 * @param entriesSinceCheckpoint how far back a rebuild must read
 */
public record TokenFigures(
        long waiting,
        Map<String, Long> handed,
        long requests,
        long commits,
        long duplicates,
        Map<Refusal, Long> refusals,
        long checkpointBytes,
        long entriesSinceCheckpoint) {
    public TokenFigures {
        handed = Map.copyOf(handed);
        refusals = Map.copyOf(refusals);
    }
}
