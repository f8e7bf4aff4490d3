@NullMarked
package dev.baton.chaos.cluster;

import org.jspecify.annotations.NullMarked;
