package dev.baton.fence.redis;

import dev.baton.fence.Admission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of fenced writes.
 *
 * @param answers what Redis answered to each write; none if they were refused
 */
public record RedisOutcome(Admission admission, List<@Nullable Object> answers) {

    public RedisOutcome {
        answers = Collections.unmodifiableList(new ArrayList<>(answers));
    }
}
