package dev.baton.authority.etcd.testing;

import dev.baton.authority.tck.Certificates;
import dev.baton.authority.tck.LoopbackPorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** One etcd cluster of a few real members on free loopback ports, each with a folder of its own. */
public final class EtcdServers implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<EtcdServer> servers = new ArrayList<>();
    private final Path dir;
    private final Optional<Certificates> tls;

    private EtcdServers(Path dir, Optional<Certificates> tls) {
        this.dir = dir;
        this.tls = tls;
    }

    /** How a cluster is to run. Immutable. */
    public record Setup(int count, Path dir, List<String> options, Optional<Certificates> tls) {

        public Setup {
            options = List.copyOf(options);
        }

        /** Any flag of etcd, such as {@code --quota-backend-bytes=16777216}. */
        public Setup option(String flag) {
            List<String> more = new ArrayList<>(options);
            more.add(flag);
            return new Setup(count, dir, more, tls);
        }

        /** Clients must speak TLS and show a certificate of the same authority. */
        public Setup tls(Certificates certificates) {
            return new Setup(count, dir, options, Optional.of(certificates));
        }

        public EtcdServers start() {
            return EtcdServers.start(this);
        }
    }

    public static Setup of(int count, Path dir) {
        return new Setup(count, dir, List.of(), Optional.empty());
    }

    /** So many members with short election timeouts. */
    public static EtcdServers start(int count, Path dir) {
        return of(count, dir).start();
    }

    private static EtcdServers start(Setup setup) {
        EtcdServers all = new EtcdServers(setup.dir(), setup.tls());
        List<int[]> ports = new ArrayList<>();
        for (int i = 0; i < setup.count(); i++) {
            ports.add(new int[] {LoopbackPorts.next(), LoopbackPorts.next()});
        }
        List<String> members = new ArrayList<>();
        for (int i = 0; i < setup.count(); i++) {
            members.add("e" + (i + 1) + "=http://127.0.0.1:" + ports.get(i)[1]);
        }
        for (int i = 0; i < setup.count(); i++) {
            all.servers.add(new EtcdServer(
                    "e" + (i + 1),
                    setup.dir().resolve("etcd-" + (i + 1)),
                    ports.get(i)[0],
                    ports.get(i)[1],
                    String.join(",", members),
                    setup.options(),
                    setup.tls()));
        }
        try {
            all.servers.forEach(EtcdServer::start);
            all.awaitLeader();
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
        return all;
    }

    /** The members count from 0. */
    public EtcdServer get(int index) {
        return servers.get(index);
    }

    public List<EtcdServer> all() {
        return List.copyOf(servers);
    }

    public List<String> addresses() {
        return servers.stream().map(EtcdServer::address).toList();
    }

    /** Ends all members as {@code kill -9} does, and starts them again on their data. */
    public void restart() {
        servers.forEach(EtcdServer::kill);
        servers.forEach(EtcdServer::start);
        awaitLeader();
    }

    /** Returns when a majority has a leader: a read that needs both succeeds. */
    public void awaitLeader() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!tryCtl("get", "nothing").ok()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("no etcd leader within " + PATIENCE + ": "
                        + servers.stream().map(EtcdServer::log).collect(Collectors.joining("\n")));
            }
        }
    }

    /** The member that leads, by asking each. */
    public EtcdServer leader() {
        for (EtcdServer server : servers) {
            Answer answer = run(List.of(server.address()), "endpoint", "status", "--write-out=fields");
            if (answer.ok() && field(answer.text(), "MemberID").equals(field(answer.text(), "Leader"))) {
                return server;
            }
        }
        throw new IllegalStateException("no member leads");
    }

    /** A number from {@code etcdctl endpoint status}, such as {@code DBSize} or {@code Revision}. */
    public long status(EtcdServer server, String field) {
        Answer answer = run(List.of(server.address()), "endpoint", "status", "--write-out=fields");
        return Long.parseUnsignedLong(field(answer.text(), field));
    }

    /** What the members count under that name for Prometheus, all together. */
    public long counted(String metric) {
        return servers.stream().mapToLong(server -> counted(server, metric)).sum();
    }

    /** The same of one member. */
    public long counted(EtcdServer server, String metric) {
        URI page = URI.create((tls.isPresent() ? "https://" : "http://") + server.address() + "/metrics");
        try (InputStream in = page.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(metric + " "))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(metric.length() + 1)))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(page + " does not count " + metric));
        } catch (IOException e) {
            throw new UncheckedIOException(page.toString(), e);
        }
    }

    private static String field(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith("\"" + name + "\""))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** What {@code etcdctl} said. */
    public record Answer(boolean ok, String text) {}

    /** Runs {@code etcdctl} against the members, and fails unless it succeeds. */
    public String ctl(String... arguments) {
        Answer answer = tryCtl(arguments);
        if (!answer.ok()) {
            throw new IllegalStateException("etcdctl " + List.of(arguments) + ": " + answer.text());
        }
        return answer.text();
    }

    /** The same against one member alone. */
    public String ctl(EtcdServer server, String... arguments) {
        Answer answer = run(List.of(server.address()), arguments);
        if (!answer.ok()) {
            throw new IllegalStateException("etcdctl " + List.of(arguments) + ": " + answer.text());
        }
        return answer.text();
    }

    public Answer tryCtl(String... arguments) {
        return run(addresses(), arguments);
    }

    private Answer run(List<String> endpoints, String... arguments) {
        String scheme = tls.isPresent() ? "https://" : "http://";
        List<String> command = new ArrayList<>(List.of(
                "etcdctl",
                "--command-timeout=20s",
                "--endpoints=" + endpoints.stream().map(scheme::concat).collect(Collectors.joining(","))));
        tls.ifPresent(files -> command.addAll(
                List.of("--cacert=" + files.authority(), "--cert=" + files.certificate(), "--key=" + files.key())));
        command.addAll(List.of(arguments));
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).directory(dir.toFile());
            builder.environment().put("ETCDCTL_API", "3");
            Process process = builder.start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(process.waitFor() == 0, text);
        } catch (IOException e) {
            throw new UncheckedIOException("etcdctl cannot be started: install etcd-client", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
        }
    }

    @Override
    public void close() {
        servers.forEach(EtcdServer::close);
    }
}
