/**
 * A real PostgreSQL under the seat: its holder's database is the primary, the others' stream from it.
 *
 * <p>INV-22: a server is only ever started as a standby, and promoted under a term; so whatever starts it, and whenever,
 * it takes no writes without the seat, and each primary has a timeline of its own.
 */
@NullMarked
package dev.baton.duty.postgres;

import org.jspecify.annotations.NullMarked;
