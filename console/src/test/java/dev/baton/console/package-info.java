@NullMarked
package dev.baton.console;

import org.jspecify.annotations.NullMarked;
