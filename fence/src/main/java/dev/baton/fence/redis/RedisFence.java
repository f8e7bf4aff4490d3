package dev.baton.fence.redis;

import dev.baton.fence.Admission;
import dev.baton.fence.Fence;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisScriptingCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fence of one resource in a Redis: a hash, checked and raised by the script that also does the writes.
 *
 * <p>A script runs alone, so that nothing comes between the check and the writes. Redis does not undo: if the second of
 * two writes fails, because its key holds another type, the first one stays, and the failure is thrown. In a Redis
 * Cluster all keys must be in one slot, that is, share a {@code {tag}}.
 *
 * <p>The fence is as durable as this Redis. One that restarts without its data, or fails over to a replica that had not
 * received the fence yet, has forgotten it: let holders write to it only with {@code appendfsync always} and without
 * such a failover, or accept that.
 *
 * <p>As thread-safe as the connection, which is: Lettuce's may be shared.
 */
public final class RedisFence {

    private static final String SCRIPT = script();

    private final RedisScriptingCommands<String, String> redis;
    private final String key;
    private final String digest;

    /**
     * @param redis the synchronous commands of a connection, to one Redis or to a cluster
     * @param key where the fence is kept
     */
    public RedisFence(RedisScriptingCommands<String, String> redis, String key) {
        this.redis = redis;
        this.key = key;
        this.digest = redis.digest(SCRIPT);
    }

    /** Only checks and raises: what a new holder does before it reads what its predecessor left. */
    public Admission admit(Fence fence) {
        return write(fence, List.of()).admission();
    }

    public RedisOutcome write(Fence fence, RedisWrite... writes) {
        return write(fence, List.of(writes));
    }

    /**
     * Does all writes, in order, if the fence is admitted, and none of them otherwise.
     *
     * <p>Blocks until Redis answers. If Lettuce throws because the answer did not come, the writes may have been done;
     * trying again is safe as far as the writes themselves are.
     */
    public RedisOutcome write(Fence fence, List<RedisWrite> writes) {
        List<String> keys = new ArrayList<>(List.of(key));
        List<String> arguments = new ArrayList<>(List.of(
                fence.cluster(),
                fence.seatName(),
                Integer.toString(fence.era()),
                fence.epoch().toString()));
        for (RedisWrite write : writes) {
            if (write.key().equals(key)) {
                throw new IllegalArgumentException(
                        write.command() + " " + key + ": the key of the fence (expected: any other key)");
            }
            keys.add(write.key());
            arguments.add(write.command());
            arguments.add(Integer.toString(write.arguments().size()));
            arguments.addAll(write.arguments());
        }
        return outcome(fence, run(keys.toArray(String[]::new), arguments.toArray(String[]::new)));
    }

    private List<@Nullable Object> run(String[] keys, String[] arguments) {
        try {
            return redis.evalsha(digest, ScriptOutputType.MULTI, keys, arguments);
        } catch (RedisNoScriptException e) {
            return redis.eval(SCRIPT, ScriptOutputType.MULTI, keys, arguments);
        }
    }

    private static RedisOutcome outcome(Fence fence, List<@Nullable Object> answer) {
        if (String.valueOf(answer.get(0)).equals("1")) {
            return new RedisOutcome(new Admission.Admitted(fence), answer.subList(5, answer.size()));
        }
        Fence stored = Fence.of(
                String.valueOf(answer.get(1)),
                String.valueOf(answer.get(2)),
                Integer.parseInt(String.valueOf(answer.get(3))),
                Long.parseLong(String.valueOf(answer.get(4))));
        // Judged here once more only to say in which way it was refused.
        Admission refused = fence.against(Optional.of(stored));
        if (refused.isAdmitted()) {
            throw new IllegalStateException(
                    fence + " was refused by " + stored + " (expected: the script and" + " Fence.against to agree)");
        }
        return new RedisOutcome(refused, List.of());
    }

    private static String script() {
        try (InputStream in = RedisFence.class.getResourceAsStream("fenced.lua")) {
            if (in == null) {
                throw new IllegalStateException("fenced.lua is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
