@NullMarked
package dev.baton.duty.tokens;

import org.jspecify.annotations.NullMarked;
