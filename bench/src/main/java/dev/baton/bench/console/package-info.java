/** What pages that look at a leader cost it, and whether they stay as small as they were. */
@NullMarked
package dev.baton.bench.console;

import org.jspecify.annotations.NullMarked;
