/** The judge: pure rules over what clients saw and what stores and engines hold at the end. */
@NullMarked
package dev.baton.chaos.checker;

import org.jspecify.annotations.NullMarked;
