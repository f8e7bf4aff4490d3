/** What a node measures. */
@NullMarked
package dev.baton.node.metrics;

import org.jspecify.annotations.NullMarked;
