@NullMarked
package dev.baton.control.access;

import org.jspecify.annotations.NullMarked;
