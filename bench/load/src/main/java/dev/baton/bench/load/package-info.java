/** Callers that ask again and again, each waiting for its own answer, and what they saw. */
@NullMarked
package dev.baton.bench.load;

import org.jspecify.annotations.NullMarked;
