@NullMarked
package dev.baton.core.timing;

import org.jspecify.annotations.NullMarked;
