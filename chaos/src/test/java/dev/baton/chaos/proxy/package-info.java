@NullMarked
package dev.baton.chaos.proxy;

import org.jspecify.annotations.NullMarked;
