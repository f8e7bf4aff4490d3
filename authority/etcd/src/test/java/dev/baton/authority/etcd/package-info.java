@NullMarked
package dev.baton.authority.etcd;

import org.jspecify.annotations.NullMarked;
