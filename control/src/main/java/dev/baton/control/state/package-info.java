/** What a node must remember about itself over a restart: that it was stopped, and that the glass was broken. */
@NullMarked
package dev.baton.control.state;

import org.jspecify.annotations.NullMarked;
