/** One seat in etcd: its keys, its transactions, and what their answers mean. */
@NullMarked
package dev.baton.authority.etcd.seat;

import org.jspecify.annotations.NullMarked;
