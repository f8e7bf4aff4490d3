/** Seats and ledgers in etcd: a seat key under a lease, and one transaction for each entry. */
@NullMarked
package dev.baton.authority.etcd;

import org.jspecify.annotations.NullMarked;
