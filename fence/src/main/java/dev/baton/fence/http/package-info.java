/** Fences the requests to a service. */
@NullMarked
package dev.baton.fence.http;

import org.jspecify.annotations.NullMarked;
