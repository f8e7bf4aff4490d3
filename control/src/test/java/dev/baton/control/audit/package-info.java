@NullMarked
package dev.baton.control.audit;

import org.jspecify.annotations.NullMarked;
