@NullMarked
package dev.baton.cli.pg;

import org.jspecify.annotations.NullMarked;
