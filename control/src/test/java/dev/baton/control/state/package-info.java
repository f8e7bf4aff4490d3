@NullMarked
package dev.baton.control.state;

import org.jspecify.annotations.NullMarked;
