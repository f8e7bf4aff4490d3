/** Nodes of the OP Stack, by their JSON-RPC. */
@NullMarked
package dev.baton.duty.remote.opstack;

import org.jspecify.annotations.NullMarked;
