/** Commands about a mempool. */
@NullMarked
package dev.baton.cli.mempool;

import org.jspecify.annotations.NullMarked;
