@NullMarked
package dev.baton.fence.testing;

import org.jspecify.annotations.NullMarked;
