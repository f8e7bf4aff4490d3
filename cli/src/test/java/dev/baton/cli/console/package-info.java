@NullMarked
package dev.baton.cli.console;

import org.jspecify.annotations.NullMarked;
