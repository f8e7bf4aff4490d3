/** Who may do what: certificates, identities, roles and calls. */
@NullMarked
package dev.baton.control.access;

import org.jspecify.annotations.NullMarked;
