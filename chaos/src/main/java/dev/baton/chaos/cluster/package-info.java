/** Real node processes and real engine servers, with a proxy in front of each port. */
@NullMarked
package dev.baton.chaos.cluster;

import org.jspecify.annotations.NullMarked;
