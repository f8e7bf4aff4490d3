/**
 * The protocols of the Redis authority and of leased tokens as TLA+ models, and what runs them through the model checker TLC.
 *
 * <p>The models lie beside these classes as resources: {@code Ledger.tla} and {@code NodeSet.tla} are our protocol,
 * {@code Published.tla} is the design it grew from. {@link dev.baton.formal.Models} lists what is checked and what must
 * fail: a model whose broken twin does not fail proves little.
 */
@NullMarked
package dev.baton.formal;

import org.jspecify.annotations.NullMarked;
