/** What Baton's numbers are, measured beside the engine's own floor in the same run. */
@NullMarked
package dev.baton.bench;

import org.jspecify.annotations.NullMarked;
