/** What a node is told in its file, and everything that may be wrong with it. */
@NullMarked
package dev.baton.node.config;

import org.jspecify.annotations.NullMarked;
