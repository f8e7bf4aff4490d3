/** The sequencer over gRPC: submitting, following, fetching by range. Wire types stop here. */
@NullMarked
package dev.baton.duty.sequencer.rpc;

import org.jspecify.annotations.NullMarked;
