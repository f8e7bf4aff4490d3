/** The sequencer duty: a block per interval, its transactions acknowledged once it is committed. */
@NullMarked
package dev.baton.duty.sequencer;

import org.jspecify.annotations.NullMarked;
