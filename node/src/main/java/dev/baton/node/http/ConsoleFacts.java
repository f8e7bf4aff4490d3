package dev.baton.node.http;

import static dev.baton.node.http.Answer.fields;

import dev.baton.control.audit.AuditRecord;
import dev.baton.control.audit.ChainedLine;
import dev.baton.control.rpc.ControlPlane;
import dev.baton.core.SeatName;
import dev.baton.duty.mempool.Mempool;
import dev.baton.duty.mempool.UnavailableException;
import dev.baton.duty.postgres.ClusterRecord;
import dev.baton.duty.postgres.PostgresDuty;
import dev.baton.duty.tokens.Tokens;
import dev.baton.node.EngineNodes;
import dev.baton.node.History;
import dev.baton.node.NodeView;
import dev.baton.node.ServedSeat;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the console shows that takes a moment to find out: what duties, engines and the control plane tell. */
final class ConsoleFacts {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleFacts.class);
    private static final int MOST_TERMS = 20;
    private static final int MOST_NAMESPACES = 100;
    private static final int MOST_RECORDS = 20;

    private static final Duration BETWEEN_SURVEYS = Duration.ofSeconds(1);

    private final NodeView node;
    private final Map<SeatName, Servers> servers = new HashMap<>();
    private long recordsRead = -1;
    private List<Map<String, @Nullable Object>> newestRecords = List.of();

    /** The servers of the engine as they were when they were last asked. */
    private record Servers(long askedNanos, @Nullable Object view) {}

    ConsoleFacts(NodeView node) {
        this.node = node;
    }

    Map<String, @Nullable Object> of(ServedSeat seat) throws InterruptedException {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put("terms", terms(seat).stream().map(StatusPages::term).toList());
        Optional<EngineNodes> engine = node.engineNodes();
        if (engine.isPresent()) {
            facts.put("engine", servers(seat, engine.get()));
        }
        seat.duty().tokens().ifPresent(tokens -> {
            facts.put("namespaces", namespaces(tokens));
            facts.put("namespaceCount", tokens.namespaceCount());
        });
        seat.duty().mempool().ifPresent(pool -> facts.put("mempool", mempool(pool)));
        seat.duty().postgres().ifPresent(duty -> facts.put("postgres", postgres(duty)));
        return facts;
    }

    /** Blocks tell of every term since the first, and when; of other ledgers the node tells what it has followed. */
    private static List<History.Held> terms(ServedSeat seat) {
        Optional<History> history = seat.history();
        if (history.isEmpty()) {
            return seat.followed().terms(MOST_TERMS);
        }
        try {
            return history.get().terms(MOST_TERMS);
        } catch (IOException e) {
            LOG.warn("the console shows no terms of {}: {}", seat.name(), e.toString());
            return List.of();
        }
    }

    /** The engine has other things to do: it is asked once a second, however often a picture is made. */
    private @Nullable Object servers(ServedSeat seat, EngineNodes engine) throws InterruptedException {
        @Nullable Servers before = servers.get(seat.name());
        long nowNanos = System.nanoTime();
        if (before != null && nowNanos - before.askedNanos() < BETWEEN_SURVEYS.toNanos()) {
            return before.view();
        }
        @Nullable
        Object view = EnginePages.view(seat, engine.of(seat.status().seat())).get("nodes");
        servers.put(seat.name(), new Servers(nowNanos, view));
        return view;
    }

    private static List<Map<String, @Nullable Object>> namespaces(Tokens tokens) {
        return tokens.namespaces("", MOST_NAMESPACES).stream()
                .map(TokenPages::view)
                .toList();
    }

    private static Map<String, @Nullable Object> mempool(Mempool pool) {
        try {
            return MempoolPages.view(pool.stats());
        } catch (UnavailableException e) {
            return fields("trouble", e.getMessage());
        }
    }

    private static Map<String, @Nullable Object> postgres(PostgresDuty duty) {
        ClusterRecord known = duty.record();
        Map<String, @Nullable Object> view = PostgresPages.member(duty);
        view.put("mode", duty.settings().mode().name().toLowerCase(Locale.ROOT));
        view.put("primary", known.serving() ? known.primary() : null);
        return view;
    }

    /** Only for operators: names of people are in it. Newest first. The book is read when something was added to it. */
    List<Map<String, @Nullable Object>> audit(ControlPlane control) {
        long count = control.figures().records();
        if (count != recordsRead) {
            newestRecords = readAudit(control);
            recordsRead = count;
        }
        return newestRecords;
    }

    private static List<Map<String, @Nullable Object>> readAudit(ControlPlane control) {
        List<Map<String, @Nullable Object>> records = new ArrayList<>();
        try {
            for (String line : control.newestRecords(MOST_RECORDS)) {
                ChainedLine chained = ChainedLine.ofText(line);
                AuditRecord record = AuditRecord.ofJson(chained.json());
                records.addFirst(fields(
                        "number", chained.number(),
                        "at", record.at(),
                        "node", record.node(),
                        "who", record.who(),
                        "role", record.role(),
                        "call", record.call(),
                        "seat", record.seat(),
                        "reason", record.reason(),
                        "outcome", record.outcome(),
                        "detail", record.detail()));
            }
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("the console shows no audit: {}", e.toString());
        }
        return records;
    }

    /** What somebody should look at, in words; what is counted since the node started says so. */
    static List<Map<String, @Nullable Object>> alerts(ControlPlane control) {
        ControlPlane.Figures now = control.figures();
        List<Map<String, @Nullable Object>> alerts = new ArrayList<>();
        control.bookDamage().ifPresent(damage -> alerts.add(alert("critical", "the audit book is damaged: " + damage)));
        if (now.glassBroken()) {
            alerts.add(alert(
                    "critical",
                    "the glass is broken until " + Instant.ofEpochMilli(now.glassUntilMillis())
                            + ": emergency identities may do everything"));
        }
        if (now.waiting() > 0) {
            alerts.add(alert("warning", now.waiting() + " audit records wait for the ledger"));
        }
        if (now.denied() > 0) {
            alerts.add(alert("notice", now.denied() + " calls were refused since the node started"));
        }
        return alerts;
    }

    private static Map<String, @Nullable Object> alert(String severity, String text) {
        return fields("severity", severity, "text", text);
    }
}
