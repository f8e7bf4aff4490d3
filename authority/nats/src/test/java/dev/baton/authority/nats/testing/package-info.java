/** Real NATS processes for tests, here and in other modules. */
@NullMarked
package dev.baton.authority.nats.testing;

import org.jspecify.annotations.NullMarked;
