@NullMarked
package dev.baton.cli.tokens;

import org.jspecify.annotations.NullMarked;
