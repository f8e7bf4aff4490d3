/** The durable store in which every node keeps all blocks from height 1 on. */
@NullMarked
package dev.baton.duty.sequencer.store;

import org.jspecify.annotations.NullMarked;
