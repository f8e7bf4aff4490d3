/** What others hand out numbers with, each asked as its own documentation says. */
@NullMarked
package dev.baton.bench.peers;

import org.jspecify.annotations.NullMarked;
