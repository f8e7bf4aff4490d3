package dev.baton.chaos.workload;

import dev.baton.chaos.history.Answer;
import dev.baton.chaos.history.Held;
import dev.baton.chaos.history.Request;
import dev.baton.wire.admin.v1.StatusResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Asks one sequencer again and again, past its proxy, whether it makes blocks: whenever it does, this one knows. */
final class MakerProber extends Client {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long BETWEEN_LOOKS_MILLIS = 50;

    private final String node;
    private final Sequencers sequencers = new Sequencers();

    MakerProber(String node, long seed, Scene scene) {
        super("prober-" + node, seed, scene);
        this.node = node;
    }

    @Override
    List<String> nodes() {
        return List.of(node);
    }

    @Override
    Request next(Random dice) {
        return new Request.Watch(node);
    }

    @Override
    Optional<Answer> ask(String asked) throws InterruptedException {
        try {
            return Optional.of(watch(cluster().dutyBehind(node)));
        } catch (IOException e) {
            return Optional.of(new Answer.Unknown("it does not answer"));
        }
    }

    private Answer watch(String address) throws IOException, InterruptedException {
        StatusResponse first = sequencers.status(address);
        if (!first.getSequencerActive()) {
            return new Answer.Refused("idle");
        }
        long head = first.getUnsafe().getL2Number();
        long deadlineNanos = System.nanoTime() + PATIENCE_NANOS;
        StatusResponse now = first;
        while (isStillAtIt(first, now) && System.nanoTime() - deadlineNanos < 0) {
            if (now.getUnsafe().getL2Number() > head) {
                long epoch = first.getTerm().getTerm();
                // One of another term would have come from another sequencer, while this one did not work.
                return sequencers
                        .block(address, head + 1)
                        .filter(block -> block.epoch() == epoch)
                        .map(Held::height)
                        .<Answer>map(number -> new Answer.Made(node, epoch, number))
                        .orElseGet(() -> new Answer.Unknown("a block of another's making"));
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
            now = sequencers.status(address);
        }
        return new Answer.Unknown("it stopped, or made nothing");
    }

    private static boolean isStillAtIt(StatusResponse first, StatusResponse now) {
        return now.getSequencerActive()
                && now.getIncarnation() == first.getIncarnation()
                && now.getTerm().getTerm() == first.getTerm().getTerm();
    }

    @Override
    void mistrust() {
        // It asks past the proxies.
    }

    @Override
    public void close() {
        sequencers.close();
    }
}
