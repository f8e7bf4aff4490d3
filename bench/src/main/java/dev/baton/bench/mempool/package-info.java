/** A mempool whose watchers are killed and frozen, beside one that nothing happens to. */
@NullMarked
package dev.baton.bench.mempool;

import org.jspecify.annotations.NullMarked;
