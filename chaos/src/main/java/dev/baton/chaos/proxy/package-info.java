/** TCP proxies that the harness owns: every link of the cluster goes through one, and can be hurt there. */
@NullMarked
package dev.baton.chaos.proxy;

import org.jspecify.annotations.NullMarked;
