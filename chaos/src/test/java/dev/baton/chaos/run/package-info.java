@NullMarked
package dev.baton.chaos.run;

import org.jspecify.annotations.NullMarked;
