/** Real processes under real faults, and a judge that sees only what clients saw and what the engines hold at the end. */
@NullMarked
package dev.baton.chaos;

import org.jspecify.annotations.NullMarked;
