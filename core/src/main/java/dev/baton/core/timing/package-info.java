/** When a holder must stop, when a follower may act, and which configurations make the two overlap. */
@NullMarked
package dev.baton.core.timing;

import org.jspecify.annotations.NullMarked;
