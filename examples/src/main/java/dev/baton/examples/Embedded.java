package dev.baton.examples;

import dev.baton.authority.Authority;
import dev.baton.authority.raft.RaftAuthority;
import dev.baton.authority.raft.RaftSettings;
import dev.baton.core.Bytes;
import dev.baton.core.ClusterId;
import dev.baton.core.Entry;
import dev.baton.core.NodeId;
import dev.baton.seat.JoinedSeat;
import dev.baton.seat.Seat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A program with a job that exactly one of its copies may do.
 *
 * <p>This one runs alone, on a single-member Raft group in a temporary folder. With three {@code peers} in the settings
 * the same ten lines run on three machines.
 */
public final class Embedded {

    private Embedded() {}

    public static void main(String[] args) throws Exception {
        Path folder = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("baton-embedded");
        CountDownLatch done = new CountDownLatch(1);
        RaftSettings settings = RaftSettings.single(
                new ClusterId("demo"), new NodeId("n1"), "127.0.0.1:0", folder, Duration.ofSeconds(4));

        try (Authority authority = RaftAuthority.start(settings);
                JoinedSeat seat = Seat.of("demo", "jobs").contender("n1").join(authority, holding -> {
                    for (int job = 1; job <= 3 && holding.holds(); job++) {
                        Entry entry = holding.append(Bytes.utf8("job " + job));
                        System.out.println("did job " + job + " as " + holding.term() + ", entry " + entry.height());
                    }
                    done.countDown();
                    new CountDownLatch(1).await(); // keeps the seat until it is lost or closed
                })) {
            done.await();
            System.out.println(seat.status().explain());
        }
    }
}
