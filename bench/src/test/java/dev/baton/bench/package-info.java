@NullMarked
package dev.baton.bench;

import org.jspecify.annotations.NullMarked;
