/** How nodes know of each other, apart from any seat. */
@NullMarked
package dev.baton.node.presence;

import org.jspecify.annotations.NullMarked;
