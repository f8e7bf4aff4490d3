@NullMarked
package dev.baton.bench.peers;

import org.jspecify.annotations.NullMarked;
