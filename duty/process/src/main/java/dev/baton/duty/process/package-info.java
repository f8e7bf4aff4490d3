/** The duty of any process that can be started, probed and stopped by commands. */
@NullMarked
package dev.baton.duty.process;

import org.jspecify.annotations.NullMarked;
