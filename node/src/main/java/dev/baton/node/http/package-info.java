/** What a node answers over HTTP. */
@NullMarked
package dev.baton.node.http;

import org.jspecify.annotations.NullMarked;
