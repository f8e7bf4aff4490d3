@NullMarked
package dev.baton.chaos.plan;

import org.jspecify.annotations.NullMarked;
