/** Certificates for development. */
@NullMarked
package dev.baton.control.certs;

import org.jspecify.annotations.NullMarked;
