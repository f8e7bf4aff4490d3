/** The console of a whole {@code up} cluster: the pictures of all nodes in one, and actions for whoever has the token. */
@NullMarked
package dev.baton.cli.console;

import org.jspecify.annotations.NullMarked;
