package dev.baton.fence.redis;

import dev.baton.fence.Admission;
import dev.baton.fence.Fence;
import dev.baton.fence.testing.Orders;
import io.lettuce.core.RedisClient;

/** Writes lines to a list and a hash of a Redis. */
final class RedisHolder {

    private RedisHolder() {}

    public static void main(String[] args) throws Exception {
        Fence fence = Fence.parse(args[1]);
        RedisClient client = RedisClient.create(args[0]);
        RedisFence guard = new RedisFence(client.connect().sync(), "fence");
        Orders.follow(line -> switch (guard.write(
                        fence, RedisWrite.of("RPUSH", "lines", line), RedisWrite.of("HSET", "last", "line", line))
                .admission()) {
            case Admission.Admitted admitted -> "wrote";
            case Admission.Refused refused -> "refused: " + refused.reason();
        });
        client.shutdown();
    }
}
