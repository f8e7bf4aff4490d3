/** How records are written: CBOR arrays that begin with a version. */
@NullMarked
package dev.baton.duty.mempool.cbor;

import org.jspecify.annotations.NullMarked;
