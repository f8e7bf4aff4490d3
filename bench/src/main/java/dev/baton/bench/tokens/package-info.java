/** Tokens against what others hand out numbers with: one run, one machine, callers in processes of their own. */
@NullMarked
package dev.baton.bench.tokens;

import org.jspecify.annotations.NullMarked;
