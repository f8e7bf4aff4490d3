package dev.baton.core;

/** A term and where its holder can be reached; an empty address means that the holder serves nobody. */
public record Seating(Term term, String address) {}
