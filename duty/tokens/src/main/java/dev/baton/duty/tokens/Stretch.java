package dev.baton.duty.tokens;

import dev.baton.core.Epoch;
import dev.baton.core.Height;

/**
 * What one term covered of a namespace.
 *
 * @param end the last token plus 1
 * @param gapFrom from here to {@code end}, tokens may never have been handed out; {@code end} if there is no such gap
 */
public record Stretch(Epoch epoch, long revision, long first, long end, Height from, Height to, long gapFrom) {}
