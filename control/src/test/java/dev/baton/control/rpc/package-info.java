@NullMarked
package dev.baton.control.rpc;

import org.jspecify.annotations.NullMarked;
