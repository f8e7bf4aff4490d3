@NullMarked
package dev.baton.duty.mempool.local;

import org.jspecify.annotations.NullMarked;
