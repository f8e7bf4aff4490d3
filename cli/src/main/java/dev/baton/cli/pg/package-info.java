/** What operators of a PostgreSQL cluster ask for. */
@NullMarked
package dev.baton.cli.pg;

import org.jspecify.annotations.NullMarked;
