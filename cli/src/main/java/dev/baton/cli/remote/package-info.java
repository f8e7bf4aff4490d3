/** Commands for sequencers in processes of their own. */
@NullMarked
package dev.baton.cli.remote;

import org.jspecify.annotations.NullMarked;
