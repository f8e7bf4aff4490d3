@NullMarked
package dev.baton.control;

import org.jspecify.annotations.NullMarked;
