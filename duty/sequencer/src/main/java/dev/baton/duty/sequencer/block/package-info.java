/** What a block is, and the fixed bytes in which the ledger carries it. */
@NullMarked
package dev.baton.duty.sequencer.block;

import org.jspecify.annotations.NullMarked;
