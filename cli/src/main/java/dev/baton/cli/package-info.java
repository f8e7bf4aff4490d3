/**
 * The command line: {@link dev.baton.cli.Main} is what {@code ./baton} runs.
 *
 * <p>Each command is a class of its own in {@code command} or {@code up}; how a cluster is found and asked is in
 * {@code cluster}.
 */
@NullMarked
package dev.baton.cli;

import org.jspecify.annotations.NullMarked;
