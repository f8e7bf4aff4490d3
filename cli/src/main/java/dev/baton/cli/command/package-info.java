/** The commands that ask or steer a cluster, one class each. */
@NullMarked
package dev.baton.cli.command;

import org.jspecify.annotations.NullMarked;
