@NullMarked
package dev.baton.cli.remote;

import org.jspecify.annotations.NullMarked;
