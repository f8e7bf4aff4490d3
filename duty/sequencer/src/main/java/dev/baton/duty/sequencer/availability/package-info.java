/** Where the holder publishes blocks so that others can rely on them: the safe head. */
@NullMarked
package dev.baton.duty.sequencer.availability;

import org.jspecify.annotations.NullMarked;
