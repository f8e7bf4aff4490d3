@NullMarked
package dev.baton.bench.tokens;

import org.jspecify.annotations.NullMarked;
