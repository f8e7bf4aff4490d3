package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.console.Feed;
import dev.baton.console.Picture;
import dev.baton.control.rpc.ControlPlane;
import dev.baton.core.Bytes;
import dev.baton.core.Height;
import dev.baton.duty.sequencer.Chain;
import dev.baton.duty.sequencer.block.StoredBlock;
import dev.baton.node.Followed;
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

    /** Where the control plane's facts stand among those of seats; no seat can have this name. */
    private static final String CONTROL = "";

    private static final int MOST_MILESTONES = 48;
    private static final long BLOCK_BYTES = 8 << 20;

    private final NodeView node;
    private final StatusPages status;
    private final ConsoleFacts facts;
    private final Audience audience;
    private final Deque<Picture.Block> blocks = new ArrayDeque<>();
    private volatile Map<String, Map<String, @Nullable Object>> aside = Map.of();

    /** Who looks. */
    enum Audience {
        /** Whoever reaches the node. */
        EVERYBODY,
        /** Whoever is on this machine: sees the audit, and acts by the command line. */
        MACHINE,
        /** Whoever has shown a certificate: sees the audit, and acts from the page. */
        CERTIFIED
    }

    ConsoleSource(NodeView node, Audience audience) {
        this.node = node;
        this.status = new StatusPages(node);
        this.facts = new ConsoleFacts(node);
        this.audience = audience;
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
                    found.put(seat.name().value(), facts.of(seat));
                }
                Optional<ControlPlane> control = audience == Audience.EVERYBODY ? Optional.empty() : node.control();
                found.put(CONTROL, control.map(this::control).orElse(Map.of()));
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

    private Map<String, @Nullable Object> control(ControlPlane control) {
        return fields("audit", facts.audit(control), "alerts", ConsoleFacts.alerts(control));
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
        Map<String, @Nullable Object> own = fields("state", "up", "status", status.status(), "seats", seats);
        own.putAll(known.getOrDefault(CONTROL, Map.of()));
        Map<String, @Nullable Object> state = fields(
                "source",
                name,
                "actions",
                audience == Audience.CERTIFIED ? ConsoleActions.WORDS : List.of(),
                "nodes",
                Map.of(name, own));
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

    /** Of several chains the first, and without any the entries of the first seat: the console shows one ledger. */
    private void takeBlocks() {
        Optional<Chain> chain = node.seats().stream()
                .flatMap(seat -> seat.duty().chain().stream())
                .findFirst();
        long known = blocks.isEmpty() ? 0 : blocks.getLast().height();
        if (chain.isPresent()) {
            takeBlocks(chain.get(), known);
        } else if (!node.seats().isEmpty()) {
            for (Followed.Seen seen : node.seats().getFirst().followed().newest()) {
                if (seen.height().value() > known) {
                    take(seen.height(), entry(seen));
                }
            }
        }
    }

    private void takeBlocks(Chain chain, long known) {
        long from = Math.max(known + 1, chain.height().value() - Picture.MOST_BLOCKS + 1);
        try {
            for (StoredBlock stored : chain.range(new Height(from), Picture.MOST_BLOCKS, BLOCK_BYTES)) {
                take(stored.block().height(), BlockPages.summary(stored));
            }
        } catch (IOException e) {
            LOG.warn("the console shows no blocks: {}", e.toString());
        }
    }

    private void take(Height height, Map<String, @Nullable Object> view) {
        blocks.addLast(new Picture.Block(height.value(), line(view)));
        if (blocks.size() > Picture.MOST_BLOCKS) {
            blocks.removeFirst();
        }
    }

    /** As a block, but for what only blocks have. */
    private static Map<String, @Nullable Object> entry(Followed.Seen seen) {
        return fields(
                "height", seen.height().value(),
                "hash", seen.hash().toString(),
                "parent", seen.parent().toString(),
                "epoch", seen.author().value(),
                "timeMillis", seen.atMillis(),
                "bytes", seen.bytes(),
                "opens", seen.opens());
    }

    private static Bytes line(Map<String, @Nullable Object> value) {
        byte[] withNewline = Answer.bytes(value);
        return Bytes.wrap(Arrays.copyOf(withNewline, withNewline.length - 1));
    }
}
