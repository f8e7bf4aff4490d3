@NullMarked
package dev.baton.cli.mempool;

import org.jspecify.annotations.NullMarked;
