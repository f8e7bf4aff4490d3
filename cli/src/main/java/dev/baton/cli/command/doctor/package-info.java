/** The checks of {@code baton doctor}. */
@NullMarked
package dev.baton.cli.command.doctor;

import org.jspecify.annotations.NullMarked;
