/** Sends each client to the node that holds a seat, and holds its request through a handover. */
@NullMarked
package dev.baton.proxy;

import org.jspecify.annotations.NullMarked;
