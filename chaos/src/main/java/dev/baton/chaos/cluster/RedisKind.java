package dev.baton.chaos.cluster;

import dev.baton.chaos.cluster.Layout.EnginePlaces;
import dev.baton.core.Entry;
import dev.baton.core.SeatId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A few Redis that do not know each other. */
final class RedisKind implements EngineKind {

    private static final int SERVERS = 3;
    private static final int PAGE = 200;

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public int servers() {
        return SERVERS;
    }

    @Override
    public boolean needsFounding() {
        return true;
    }

    @Override
    public String settings(Layout layout, String start) {
        return "  node-timeout: 300ms\n  nodes:\n" + EngineKind.servers(layout);
    }

    @Override
    public List<String> prepare(Layout layout, EnginePlaces server, Path folder) throws IOException {
        Path config = folder.resolve("redis.conf");
        Files.writeString(config, redis(server, layout.dataOf(server.name()), layout.forgetful()));
        return List.of("redis-server", config.toString());
    }

    private static String redis(EnginePlaces self, Path data, boolean forgetful) {
        return """
                bind %s
                port %d
                dir "%s"
                daemonize no
                appendonly yes
                appendfsync %s
                save ""
                maxmemory-policy noeviction
                notify-keyspace-events Exg
                proc-title-template "{title} {listen-addr} {config-file}"
                """.formatted(Place.BEHIND, self.client().port(), data, forgetful ? "everysec" : "always");
    }

    @Override
    public List<Entry> read(String address, SeatId seat) throws IOException {
        String ledger = "baton:{" + seat.cluster() + "/" + seat.seat() + "/" + seat.era() + "}:ledger";
        List<Entry> all = new ArrayList<>();
        try (RedisLine redis = RedisLine.to(address)) {
            String from = "-";
            while (true) {
                Object reply = redis.ask("XRANGE", ledger, from, "+", "COUNT", Integer.toString(PAGE));
                List<?> page = reply instanceof List<?> list ? list : List.of();
                for (Object each : page) {
                    List<?> item = (List<?>) each;
                    from = "(" + text(item.get(0));
                    List<?> fields = (List<?>) item.get(1);
                    all.add(Ledgers.entry(seat, (byte[]) fields.get(fields.indexOf(find(fields, "e")) + 1)));
                }
                if (page.size() < PAGE) {
                    return all;
                }
            }
        }
    }

    private static Object find(List<?> fields, String name) throws IOException {
        for (int i = 0; i < fields.size(); i += 2) {
            if (text(fields.get(i)).equals(name)) {
                return fields.get(i);
            }
        }
        throw new IOException("an entry of the ledger without the field " + name);
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.UTF_8);
    }
}
