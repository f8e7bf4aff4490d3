package dev.baton.authority.tck;

/** A group of tests of the kit: each finds what it needs at the bench. */
interface AtBench {

    Bench bench();
}
