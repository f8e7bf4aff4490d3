package dev.baton.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All shards of a namespace in turn: never a token twice among them, but <b>no order</b>.
 *
 * <p>A later call may well get a lower token, because each shard counts by itself. Where order matters, ask one shard
 * ({@link #shard}), for example the one that a customer's number points at, or do not shard.
 */
public final class ShardedTokens {

    private final List<TokenNamespace> shards;
    private final AtomicInteger turn = new AtomicInteger();

    ShardedTokens(List<TokenNamespace> shards) {
        this.shards = List.copyOf(shards);
    }

    /** A token of some shard; blocks as {@link TokenNamespace#next()} does. */
    public long next() {
        return some().next();
    }

    /** A token of some shard. */
    public CompletableFuture<Long> nextAsync() {
        return some().nextAsync();
    }

    /** Several tokens of one shard, not necessarily the last one's; blocks as {@link TokenNamespace#next(long)} does. */
    public TokenRange next(long count) {
        return some().next(count);
    }

    /** Several tokens of one shard. */
    public CompletableFuture<TokenRange> nextAsync(long count) {
        return some().nextAsync(count);
    }

    /** One shard by itself, which is in order. */
    public TokenNamespace shard(int index) {
        return shards.get(index);
    }

    private TokenNamespace some() {
        return shards.get(Math.floorMod(turn.getAndIncrement(), shards.size()));
    }
}
