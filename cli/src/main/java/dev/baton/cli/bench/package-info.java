/** Gives the benchmarks a cluster of real processes. */
@NullMarked
package dev.baton.cli.bench;

import org.jspecify.annotations.NullMarked;
