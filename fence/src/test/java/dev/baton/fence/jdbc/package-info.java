@NullMarked
package dev.baton.fence.jdbc;

import org.jspecify.annotations.NullMarked;
