/** Carries a plan of faults out, by proxies and by signals to processes that the harness started. */
@NullMarked
package dev.baton.chaos.nemesis;

import org.jspecify.annotations.NullMarked;
