/** Tokens over gRPC: the service, its statuses, and the server that it runs in. */
@NullMarked
package dev.baton.duty.tokens.rpc;

import org.jspecify.annotations.NullMarked;
