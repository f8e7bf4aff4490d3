@NullMarked
package dev.baton.sim;

import org.jspecify.annotations.NullMarked;
