@NullMarked
package dev.baton.cli.proxy;

import org.jspecify.annotations.NullMarked;
