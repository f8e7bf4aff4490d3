/** Asks a cluster for tokens, looks after their namespaces, and checks what was handed out. */
@NullMarked
package dev.baton.cli.tokens;

import org.jspecify.annotations.NullMarked;
