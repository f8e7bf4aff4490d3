/** Real etcd processes for tests, here and in other modules. */
@NullMarked
package dev.baton.authority.etcd.testing;

import org.jspecify.annotations.NullMarked;
