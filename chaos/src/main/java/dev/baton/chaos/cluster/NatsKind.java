package dev.baton.chaos.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.chaos.cluster.Layout.EnginePlaces;
import dev.baton.core.Entry;
import dev.baton.core.SeatId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** A cluster of NATS servers with JetStream. */
final class NatsKind implements EngineKind {

    private static final int SERVERS = 3;
    private static final int NO_MESSAGE_FROM_THERE_ON = 10037;

    @Override
    public String name() {
        return "nats";
    }

    @Override
    public int servers() {
        return SERVERS;
    }

    @Override
    public String settings(Layout layout, String start) {
        return "  request-timeout: 900ms\n  servers:\n" + EngineKind.servers(layout);
    }

    @Override
    public List<String> prepare(Layout layout, EnginePlaces server, Path folder) throws IOException {
        Path config = folder.resolve("nats.conf");
        Files.writeString(config, nats(layout, server, layout.dataOf(server.name())));
        return List.of("nats-server", "-c", config.toString());
    }

    private static String nats(Layout layout, EnginePlaces self, Path data) {
        String routes = layout.engines().stream()
                .map(each -> "\"nats://" + each.peer().shownText() + "\"")
                .collect(Collectors.joining(", "));
        return """
                server_name: %s
                listen: "%s"
                max_payload: 2MB
                ping_interval: "2s"
                ping_max: 2
                write_deadline: "2s"
                jetstream { store_dir: "%s" }
                cluster {
                  name: chaos
                  listen: "%s"
                  advertise: "%s"
                  routes: [%s]
                }
                """.formatted(
                        self.name(),
                        self.client().behindText(),
                        data.resolve("streams"),
                        self.peer().behindText(),
                        self.peer().shownText(),
                        routes);
    }

    /** A replica of a stream cannot be read by itself: whichever server is asked, the stream's leader answers. */
    @Override
    public List<Entry> read(String address, SeatId seat) throws IOException {
        String path = seat.cluster() + "." + seat.era() + "." + seat.seat();
        String question = "$JS.API.STREAM.MSG.GET.baton_" + path.replace('.', '_');
        List<Entry> all = new ArrayList<>();
        try (NatsLine nats = NatsLine.to(address)) {
            long next = 1;
            while (true) {
                JsonNode reply =
                        nats.ask(question, "{\"seq\":" + next + ",\"next_by_subj\":\"baton.seat." + path + "\"}");
                JsonNode message = reply.path("message");
                if (message.isMissingNode()) {
                    if (reply.path("error").path("err_code").asInt() == NO_MESSAGE_FROM_THERE_ON) {
                        return all;
                    }
                    throw new IOException("NATS answers " + reply);
                }
                next = message.path("seq").asLong() + 1;
                byte[] body = Base64.getDecoder().decode(message.path("data").asText());
                if (body.length > 0) {
                    all.add(Ledgers.entry(seat, body));
                }
            }
        }
    }
}
