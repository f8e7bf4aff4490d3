@NullMarked
package dev.baton.seat;

import org.jspecify.annotations.NullMarked;
