/** What happened in a run, as events in order of time, and the journal that keeps them. */
@NullMarked
package dev.baton.chaos.history;

import org.jspecify.annotations.NullMarked;
