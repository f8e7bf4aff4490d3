/** Clients, readers and samplers: they ask, look, and write down what they saw. */
@NullMarked
package dev.baton.chaos.workload;

import org.jspecify.annotations.NullMarked;
