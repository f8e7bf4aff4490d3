/** The Java client of the token service: follows the holder, batches, retries, checks. */
@NullMarked
package dev.baton.client;

import org.jspecify.annotations.NullMarked;
