/** Judges logs of handed-out tokens. Pure: it reads what it is given and knows no cluster. */
@NullMarked
package dev.baton.cli.tokens.verify;

import org.jspecify.annotations.NullMarked;
