/** Failovers of a real PostgreSQL, as clients see them: machines that are hurt, writers that note what they were told. */
@NullMarked
package dev.baton.bench.postgres;

import org.jspecify.annotations.NullMarked;
