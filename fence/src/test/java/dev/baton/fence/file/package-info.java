@NullMarked
package dev.baton.fence.file;

import org.jspecify.annotations.NullMarked;
