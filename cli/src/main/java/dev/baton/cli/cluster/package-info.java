/** How a running cluster is found on this machine, and how its nodes are asked. */
@NullMarked
package dev.baton.cli.cluster;

import org.jspecify.annotations.NullMarked;
