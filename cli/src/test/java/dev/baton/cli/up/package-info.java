@NullMarked
package dev.baton.cli.up;

import org.jspecify.annotations.NullMarked;
