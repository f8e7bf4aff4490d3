@NullMarked
package dev.baton.bench.load;

import org.jspecify.annotations.NullMarked;
