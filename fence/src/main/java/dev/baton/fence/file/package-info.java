/** Fences files that several processes may write. */
@NullMarked
package dev.baton.fence.file;

import org.jspecify.annotations.NullMarked;
