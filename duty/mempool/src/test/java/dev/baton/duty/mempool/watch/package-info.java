@NullMarked
package dev.baton.duty.mempool.watch;

import org.jspecify.annotations.NullMarked;
