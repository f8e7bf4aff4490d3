@NullMarked
package dev.baton.duty.mempool;

import org.jspecify.annotations.NullMarked;
