/** Which faults are to happen when: a pure function of the seed. */
@NullMarked
package dev.baton.chaos.plan;

import org.jspecify.annotations.NullMarked;
