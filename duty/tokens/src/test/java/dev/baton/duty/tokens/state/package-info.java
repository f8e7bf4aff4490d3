@NullMarked
package dev.baton.duty.tokens.state;

import org.jspecify.annotations.NullMarked;
