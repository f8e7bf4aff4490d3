@NullMarked
package dev.baton.chaos.nemesis;

import org.jspecify.annotations.NullMarked;
