/** Who signs blocks, and how others verify it. */
@NullMarked
package dev.baton.duty.sequencer.signing;

import org.jspecify.annotations.NullMarked;
