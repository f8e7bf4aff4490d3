package dev.baton.bench.tokens;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** One Redis, which syncs to disk before it answers. */
public record RedisServer(Process process, int port, Path folder) {

    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Returns at once; see {@link #await}. */
    public static RedisServer start(Children children, String name) throws IOException {
        Path folder = children.folder(name);
        int port = children.freePort();
        Process process = children.start(
                folder.resolve("log"),
                List.of(
                        "redis-server",
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--dir",
                        folder.toString(),
                        "--save",
                        "",
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        "always"));
        return new RedisServer(process, port, folder);
    }

    public RedisServer await(Children children) throws InterruptedException {
        children.await("redis-server", process, folder.resolve("log"), () -> Children.answers(port, PING, '+'));
        return this;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }
}
