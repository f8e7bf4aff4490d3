/** Sequencers that speak the Admin Control API, and the lease tokens that they are given. */
@NullMarked
package dev.baton.duty.remote.admin;

import org.jspecify.annotations.NullMarked;
