package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.console.Feed;
import dev.baton.console.Picture;
import dev.baton.core.Bytes;
import dev.baton.core.Height;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.duty.tokens.Tokens;
import dev.baton.node.EngineNodes;
import dev.baton.node.History;
import dev.baton.node.NodeView;
import dev.baton.node.SeatNews;
import dev.baton.node.ServedSeat;
import dev.baton.node.presence.PeerTable;
import dev.baton.seat.SeatStatus;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the console shows of one node: its status, and what may take a moment to find out.
 *
 * <p>Terms and the engine's servers are asked for on a thread of their own: reading a long chain, or a server that does
 * not answer, must not hold up the picture.
 */
final class ConsoleSource implements Feed.Source {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleSource.class);
    private static final long ASIDE_MILLIS = 500;
    private static final int MOST_TERMS = 20;
    private static final int MOST_MILESTONES = 48;
    private static final int MOST_NAMESPACES = 100;
    private static final long BLOCK_BYTES = 8 << 20;

    private final NodeView node;
    private final StatusPages status;
    private final Deque<Picture.Block> blocks = new ArrayDeque<>();
    private volatile Map<String, Map<String, @Nullable Object>> aside = Map.of();

    ConsoleSource(NodeView node) {
        this.node = node;
        this.status = new StatusPages(node);
    }

    @Override
    public Feed.Watch watch(Runnable changed) {
        List<ServedSeat> seats = node.seats();
        for (ServedSeat seat : seats) {
            seat.news().onStanding(changed);
            seat.duty().chain().ifPresent(chain -> chain.onGrowth(changed));
        }
        Thread asking = Thread.ofVirtual().name("console-aside").start(() -> askAside(changed));
        return () -> {
            asking.interrupt();
            for (ServedSeat seat : seats) {
                seat.news().removeListener(changed);
                seat.duty().chain().ifPresent(chain -> chain.removeListener(changed));
            }
        };
    }

    private void askAside(Runnable changed) {
        try {
            while (true) {
                Map<String, Map<String, @Nullable Object>> found = new LinkedHashMap<>();
                for (ServedSeat seat : node.seats()) {
                    found.put(seat.name().value(), aside(seat));
                }
                if (!found.equals(aside)) {
                    aside = found;
                    changed.run();
                }
                Thread.sleep(ASIDE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody looks any more
        }
    }

    private Map<String, @Nullable Object> aside(ServedSeat seat) throws InterruptedException {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        Optional<History> history = seat.history();
        if (history.isPresent()) {
            try {
                facts.put(
                        "terms",
                        history.get().terms(MOST_TERMS).stream()
                                .map(StatusPages::term)
                                .toList());
            } catch (IOException e) {
                LOG.warn("the console shows no terms of {}: {}", seat.name(), e.toString());
            }
        }
        Optional<EngineNodes> engine = node.engineNodes();
        if (engine.isPresent()) {
            facts.put(
                    "engine",
                    EnginePages.view(seat, engine.get().of(seat.status().seat()))
                            .get("nodes"));
        }
        Optional<Tokens> tokens = seat.duty().tokens();
        if (tokens.isPresent()) {
            facts.put(
                    "namespaces",
                    tokens.get().namespaces("").stream()
                            .limit(MOST_NAMESPACES)
                            .map(TokenPages::view)
                            .toList());
        }
        return facts;
    }

    @Override
    public Picture look() {
        takeBlocks();
        Map<String, Map<String, @Nullable Object>> known = aside;
        Map<String, @Nullable Object> seats = new LinkedHashMap<>();
        StringJoiner essence = new StringJoiner("|").add(Integer.toString(System.identityHashCode(known)));
        for (ServedSeat seat : node.seats()) {
            Map<String, @Nullable Object> facts =
                    new LinkedHashMap<>(known.getOrDefault(seat.name().value(), Map.of()));
            facts.put("milestones", newest(StatusPages.milestones(seat)));
            facts.put("commit", latency(seat.news().latency()));
            seats.put(seat.name().value(), facts);
            essence.add(essence(seat.status()));
        }
        node.peers().all().forEach(peer -> essence.add(essence(peer)));
        String name = node.config().node().value();
        Map<String, @Nullable Object> state = fields(
                "source",
                name,
                "actions",
                false,
                "nodes",
                Map.of(name, fields("state", "up", "status", status.status(), "seats", seats)));
        return new Picture(essence.toString(), line(state), new ArrayList<>(blocks));
    }

    private static <T> List<T> newest(List<T> all) {
        return all.subList(Math.max(0, all.size() - MOST_MILESTONES), all.size());
    }

    private static Map<String, @Nullable Object> latency(SeatNews.Latency latency) {
        return fields(
                "commits", latency.commits(),
                "lastMicros", latency.lastMicros(),
                "medianMicros", latency.medianMicros(),
                "p99Micros", latency.p99Micros());
    }

    private static String essence(SeatStatus status) {
        return status.standing().name() + ";" + status.holder() + ";"
                + status.head().height() + ";" + status.applied() + ";" + status.readiness() + ";"
                + status.lastProblem();
    }

    private String essence(PeerTable.Sighting peer) {
        return peer.presence().node() + ";" + peer.presence().incarnation() + ";"
                + peer.presence().seats() + ";" + node.peers().isPresent(peer);
    }

    /** Of several chains the first: the console shows one ledger. */
    private void takeBlocks() {
        Optional<Chain> chain = node.seats().stream()
                .flatMap(seat -> seat.duty().chain().stream())
                .findFirst();
        if (chain.isEmpty()) {
            return;
        }
        long known = blocks.isEmpty() ? 0 : blocks.getLast().height();
        long from = Math.max(known + 1, chain.get().height().value() - Picture.MOST_BLOCKS + 1);
        try {
            for (StoredBlock stored : chain.get().range(new Height(from), Picture.MOST_BLOCKS, BLOCK_BYTES)) {
                blocks.addLast(new Picture.Block(stored.block().height().value(), line(BlockPages.summary(stored))));
                if (blocks.size() > Picture.MOST_BLOCKS) {
                    blocks.removeFirst();
                }
            }
        } catch (IOException e) {
            LOG.warn("the console shows no blocks: {}", e.toString());
        }
    }

    private static Bytes line(Map<String, @Nullable Object> value) {
        byte[] withNewline = Answer.bytes(value);
        return Bytes.wrap(Arrays.copyOf(withNewline, withNewline.length - 1));
    }
}
