package dev.baton.duty.tokens;

import java.util.Optional;

/**
 * What a caller wants; nothing of it has been checked yet.
 *
 * @param acceptStep whether the caller knows that tokens may lie further apart than 1
 */
public record Ask(String namespace, long count, Optional<RequestId> id, boolean acceptStep) {}
