/** The seat on a few independent Redis nodes: settings, founding, and the checks before a start. */
@NullMarked
package dev.baton.authority.redis;

import org.jspecify.annotations.NullMarked;
