@NullMarked
package dev.baton.control.seal;

import org.jspecify.annotations.NullMarked;
