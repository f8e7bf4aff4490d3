/** The console: a page that shows leadership as it happens, and the stream of pictures that it lives on. */
@NullMarked
package dev.baton.console;

import org.jspecify.annotations.NullMarked;
