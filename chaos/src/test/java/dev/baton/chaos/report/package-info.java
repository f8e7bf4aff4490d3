@NullMarked
package dev.baton.chaos.report;

import org.jspecify.annotations.NullMarked;
