/**
 * Seats and ledgers in etcd: a seat key under a lease, and one transaction for each entry.
 *
 * <p>{@code wire} reaches the members, {@code seat} knows keys and transactions; here is what others use.
 */
@NullMarked
package dev.baton.authority.etcd;

import org.jspecify.annotations.NullMarked;
