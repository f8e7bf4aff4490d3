/** Fences the transactions of a relational database. */
@NullMarked
package dev.baton.fence.jdbc;

import org.jspecify.annotations.NullMarked;
