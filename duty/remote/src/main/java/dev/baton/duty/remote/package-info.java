/**
 * The duty of a sequencer that runs in a process of its own: it is started, watched and stopped from here.
 *
 * <p>The port is {@link dev.baton.duty.remote.RemoteSequencer}; each way of speaking to a sequencer is a package below.
 */
@NullMarked
package dev.baton.duty.remote;

import org.jspecify.annotations.NullMarked;
