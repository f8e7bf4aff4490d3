@NullMarked
package dev.baton.cli.tokens.verify;

import org.jspecify.annotations.NullMarked;
