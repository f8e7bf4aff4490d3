/** Checks of the whole house: who may know whom, and whether docs and code tell the same story. */
@NullMarked
package dev.baton.house;

import org.jspecify.annotations.NullMarked;
