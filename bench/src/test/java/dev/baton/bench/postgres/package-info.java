@NullMarked
package dev.baton.bench.postgres;

import org.jspecify.annotations.NullMarked;
