/** Certificates, the audit, and rolling upgrades. */
@NullMarked
package dev.baton.cli.control;

import org.jspecify.annotations.NullMarked;
