package dev.baton.node.switchover;

import dev.baton.core.NodeId;
import dev.baton.core.standing.Standing;
import dev.baton.duty.postgres.ClusterRecord;
import dev.baton.duty.postgres.PostgresDuty;
import dev.baton.node.NodeView;
import dev.baton.node.ServedSeat;
import dev.baton.node.config.PostgresConfig;
import dev.baton.node.presence.Handoffs;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the primary of one seat when its time has come: at a planned moment, or back to the preferred node.
 *
 * <p>The way back is the demotion handshake: the holder sees that the preferred node is there again, and has been well
 * and caught up for a while without a break; it stops its server, gives the seat to that node by a ticket, and that one's
 * server is promoted. Whoever refuses must be well for as long again before it is asked once more, so that sick nodes do
 * not hand the seat to and fro.
 */
public final class Moves implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Moves.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final Duration TICKET = Duration.ofSeconds(8);

    private final NodeView node;
    private final ServedSeat seat;
    private final PostgresDuty duty;
    private final PostgresConfig config;
    private final Thread thread;
    private @Nullable Long wellSinceNanos;

    public Moves(NodeView node, ServedSeat seat, PostgresDuty duty) {
        this.node = node;
        this.seat = seat;
        this.duty = duty;
        this.config = seat.config().postgres();
        this.thread = Thread.ofVirtual().name("moves-" + seat.name()).unstarted(this::look);
    }

    public void start() {
        thread.start();
    }

    private void look() {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY.toMillis());
                if (duty.isPrimary() && !node.isStopping()) {
                    keepPlan();
                    comeHome();
                } else {
                    wellSinceNanos = null;
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void keepPlan() throws InterruptedException {
        Optional<ClusterRecord.Plan> plan = duty.record().plan();
        if (plan.isEmpty() || plan.get().atMillis() > System.currentTimeMillis()) {
            return;
        }
        // Taken back first: a plan is tried once, and by one node.
        if (duty.plan(Optional.empty())) {
            while (duty.isPrimary() && duty.record().plan().isPresent()) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            String to = plan.get().to();
            if (!to.equals(node.config().node().value())) {
                move(new NodeId(to), "planned");
            }
        }
    }

    private void comeHome() throws InterruptedException {
        Optional<NodeId> preferred =
                config.preferred().filter(home -> !home.equals(node.config().node()));
        if (preferred.isEmpty()) {
            return;
        }
        duty.want(preferred.get().value()); // it must have everything before it may take over
        if (!isWell(preferred.get())) {
            wellSinceNanos = null;
        } else if (wellSinceNanos == null) {
            wellSinceNanos = System.nanoTime();
        } else if (System.nanoTime() - wellSinceNanos > config.preferredAfter().toNanos()) {
            wellSinceNanos = null;
            move(preferred.get(), "back to the preferred node");
        }
    }

    private boolean isWell(NodeId home) {
        return node.peers().find(home).filter(peer -> node.peers().isPresent(peer) && peer.agrees()).stream()
                .flatMap(peer -> peer.presence().seats().stream())
                .anyMatch(at -> at.seat().equals(seat.name()) && at.ready() && at.standing() == Standing.Name.FOLLOWER);
    }

    private void move(NodeId to, String why) throws InterruptedException {
        LOG.info("{}: switchover to {} begins: {}", seat.name(), to, why);
        Handoffs.Outcome outcome = Switchover.run(node.handoffs(), seat, duty, to, TICKET);
        LOG.info("{}: switchover to {} ended: {}", seat.name(), to, outcome);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
