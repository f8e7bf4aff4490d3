/** One pool of transactions that many nodes share: any of them receives, one of them confirms. */
@NullMarked
package dev.baton.duty.mempool;

import org.jspecify.annotations.NullMarked;
