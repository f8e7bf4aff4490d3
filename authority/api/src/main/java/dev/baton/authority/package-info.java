/**
 * The contract that an engine fulfils: who holds a seat, and what its ledger says.
 *
 * <p>Every engine passes the same tests (the {@code tck} room), without exceptions.
 */
@NullMarked
package dev.baton.authority;

import org.jspecify.annotations.NullMarked;
