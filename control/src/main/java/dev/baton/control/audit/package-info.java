/** What was asked of the cluster and what came of it, in an order that nobody can change unseen. */
@NullMarked
package dev.baton.control.audit;

import org.jspecify.annotations.NullMarked;
