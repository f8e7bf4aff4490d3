@NullMarked
package dev.baton.client;

import org.jspecify.annotations.NullMarked;
