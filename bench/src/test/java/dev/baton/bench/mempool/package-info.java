@NullMarked
package dev.baton.bench.mempool;

import org.jspecify.annotations.NullMarked;
