@NullMarked
package dev.baton.duty.mempool.rpc;

import org.jspecify.annotations.NullMarked;
