package dev.baton.node.evidence;

import dev.baton.core.ClusterId;
import dev.baton.core.Holder;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The watch over one holder's process, on a thread of its own until it is interrupted. */
final class Vigil implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Vigil.class);

    private static final Duration BEFORE_NEXT_TRY = Duration.ofMillis(250);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private final ClusterId cluster;
    private final Holder holder;
    private final Supplier<ManagedChannel> channels;
    private final Consumer<Holder> onEvidence;
    private final EvidenceCounts counts;
    private final Inquest inquest;

    Vigil(
            ClusterId cluster,
            Holder holder,
            Supplier<ManagedChannel> channels,
            Consumer<Holder> onEvidence,
            EvidenceCounts counts) {
        this.cluster = cluster;
        this.holder = holder;
        this.channels = channels;
        this.onEvidence = onEvidence;
        this.counts = counts;
        this.inquest = new Inquest(new SocketProber(cluster, channels), counts);
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                watch();
                Thread.sleep(BEFORE_NEXT_TRY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it holds no seat any more, or this node shuts down
        }
    }

    private void watch() throws InterruptedException {
        counts.triedToAttend();
        // A channel reconnects by itself and would hide that its connection closed: hence a new one each time.
        ManagedChannel channel = channels.get();
        try {
            Ending ending = Attendance.attend(channel, cluster, holder, counts);
            if (ending instanceof Ending.Closed) {
                inquire(ending);
            } else {
                LOG.debug("{} is not attended: {}", holder, ending);
            }
        } catch (RuntimeException e) {
            LOG.error("watching {} failed; trying again", holder, e);
        } finally {
            channel.shutdownNow();
        }
    }

    private void inquire(Ending ending) throws InterruptedException {
        Verdict verdict = inquest.hold(holder, ending);
        if (verdict instanceof Verdict.Gone(String why)) {
            counts.foundOne();
            onEvidence.accept(holder); // words can wait
            LOG.warn("{}'s process is gone: its connection closed, and {}", holder, why);
            repeatUntilItAnswers(ending);
            verdict = new Verdict.Alive();
        }
        counts.dismissedOne();
        LOG.info(
                "{}'s connection closed, but there is no evidence that its process is gone: {}", holder, verdict.why());
    }

    /**
     * An engine may have a bad moment, or this node may not be ready yet: evidence is told again for as long as the seat
     * names this holder, each time on a new finding. Only the process itself can disprove it.
     */
    private void repeatUntilItAnswers(Ending ending) throws InterruptedException {
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (true) {
            Thread.sleep(pauseMillis);
            Verdict verdict = inquest.hold(holder, ending);
            if (verdict instanceof Verdict.Alive) {
                return;
            }
            if (verdict instanceof Verdict.Gone) {
                onEvidence.accept(holder);
            }
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
    }
}
