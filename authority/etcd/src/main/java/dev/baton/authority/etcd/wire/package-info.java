/**
 * How requests reach etcd: one channel per member, one bound per call, and an honest word on what became of each.
 *
 * <p>Nothing is repeated here behind a caller's back once its bound is over, and nothing runs that was not asked for.
 */
@NullMarked
package dev.baton.authority.etcd.wire;

import org.jspecify.annotations.NullMarked;
