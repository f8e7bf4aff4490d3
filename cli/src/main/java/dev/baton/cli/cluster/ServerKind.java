package dev.baton.cli.cluster;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The programs that can keep a seat outside of the nodes, and that {@code up} can run by itself. */
public enum ServerKind {
    REDIS("redis", "Redis", "redis-server", "redis.conf", "Redis 6.2 or later", "redis-server"),
    ETCD("etcd", "etcd", "etcd", "etcd.yaml", "etcd 3.4 or later", "etcd-server"),
    NATS("nats", "NATS", "nats-server", "nats.conf", "nats-server 2.9 or later", "nats-server");

    private final String authority;
    private final String title;
    private final String command;
    private final String configName;
    private final String version;
    private final String debianPackage;

    ServerKind(
            String authority, String title, String command, String configName, String version, String debianPackage) {
        this.authority = authority;
        this.title = title;
        this.command = command;
        this.configName = configName;
        this.version = version;
        this.debianPackage = debianPackage;
    }

    /** The kind that serves this authority; none if the nodes keep the seat themselves. */
    public static Optional<ServerKind> of(String authority) {
        return Arrays.stream(values())
                .filter(kind -> kind.authority.equals(authority))
                .findFirst();
    }

    /** How {@code --authority} calls it. */
    public String authority() {
        return authority;
    }

    /** How people call it. */
    public String title() {
        return title;
    }

    public String command() {
        return command;
    }

    /** What must be installed. */
    public String version() {
        return version;
    }

    public String debianPackage() {
        return debianPackage;
    }

    /** The option that names running ones. */
    public String option() {
        return "--" + authority;
    }

    /** The file that a server of {@code up} is started with; its command line tells it from others. */
    public Path config(Path data, String name) {
        return data.resolve(name).resolve(configName).toAbsolutePath().normalize();
    }
}
