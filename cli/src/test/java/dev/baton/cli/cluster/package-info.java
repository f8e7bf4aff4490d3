@NullMarked
package dev.baton.cli.cluster;

import org.jspecify.annotations.NullMarked;
