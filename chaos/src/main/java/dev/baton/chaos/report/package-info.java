/** A run as one page to read, and as JSON to compute with. */
@NullMarked
package dev.baton.chaos.report;

import org.jspecify.annotations.NullMarked;
