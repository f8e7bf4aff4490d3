@NullMarked
package dev.baton.proxy;

import org.jspecify.annotations.NullMarked;
