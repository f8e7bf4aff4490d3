/** A whole run, from the first process to the verdict, and the commands for it. */
@NullMarked
package dev.baton.chaos.run;

import org.jspecify.annotations.NullMarked;
