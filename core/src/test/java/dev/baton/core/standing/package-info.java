@NullMarked
package dev.baton.core.standing;

import org.jspecify.annotations.NullMarked;
