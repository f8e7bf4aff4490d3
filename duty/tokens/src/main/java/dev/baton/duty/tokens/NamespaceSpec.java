package dev.baton.duty.tokens;

import java.util.OptionalInt;
import java.util.OptionalLong;

/** A namespace as somebody wants it; what is absent is chosen by the holder. */
public record NamespaceSpec(
        String name,
        Guarantee guarantee,
        OptionalLong start,
        OptionalLong step,
        OptionalLong ceiling,
        OptionalLong maxCount,
        OptionalInt shards) {}
