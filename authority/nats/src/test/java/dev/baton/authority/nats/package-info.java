@NullMarked
package dev.baton.authority.nats;

import org.jspecify.annotations.NullMarked;
