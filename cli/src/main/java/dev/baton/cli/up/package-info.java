/** {@code baton up}: a whole cluster as processes of this machine, watched from outside. */
@NullMarked
package dev.baton.cli.up;

import org.jspecify.annotations.NullMarked;
