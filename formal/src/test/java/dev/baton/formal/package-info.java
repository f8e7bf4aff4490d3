@NullMarked
package dev.baton.formal;

import org.jspecify.annotations.NullMarked;
