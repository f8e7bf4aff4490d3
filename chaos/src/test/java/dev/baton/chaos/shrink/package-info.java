@NullMarked
package dev.baton.chaos.shrink;

import org.jspecify.annotations.NullMarked;
