package dev.baton.node;

import dev.baton.authority.redis.Founding;
import dev.baton.authority.redis.RedisSettings;
import dev.baton.authority.redis.StartCheck;
import dev.baton.authority.redis.lettuce.NodeReport;
import dev.baton.authority.redis.lettuce.SeatLook;
import dev.baton.authority.redis.lettuce.Survey;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.core.SeatId;
import dev.baton.core.timing.Fault;
import dev.baton.duty.sequencer.store.BlockStore;
import dev.baton.node.config.NodeConfig;
import dev.baton.node.config.SeatConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** What an operator does with the Redis nodes of a configuration before any node runs. Calls block for some seconds. */
public final class RedisSeats {

    private static final String PREFIX = "authority.";

    private RedisSeats() {}

    /**
     * A seat that is on the Redis nodes.
     *
     * @param now whether it was founded just now, not earlier
     * @param members the nodes of its set, as {@code id@host:port}
     * @param blank the Redis nodes that keep nothing of it, though others do
     */
    public record Founded(SeatId seat, boolean now, List<String> members, List<String> blank) {

        @Override
        public String toString() {
            return seat
                    + (now ? " is founded on " : " was founded before, nothing was changed; its nodes: ")
                    + String.join(", ", members)
                    + (blank.isEmpty()
                            ? ""
                            : "; " + String.join(", ", blank) + " keep nothing of it: the holder takes them in anew");
        }
    }

    /** Founds every seat of the configuration that is not founded yet. */
    public static List<Founded> found(NodeConfig config) throws NodeFailure {
        RedisSettings settings = RedisSetup.of(config);
        List<Founded> founded = new ArrayList<>();
        for (SeatConfig seat : config.seats()) {
            SeatId id = seat.id(config.cluster());
            refuseIfLost(config, settings, id);
            founded.add(
                    switch (Founding.found(settings, id, PREFIX, RandomGenerator.getDefault())) {
                        case Founding.Outcome.Founded(MemberSet members) ->
                            new Founded(id, true, words(members), List.of());
                        case Founding.Outcome.AlreadyFounded(MemberSet members, List<String> blank) ->
                            new Founded(id, false, words(members), blank);
                        case Founding.Outcome.Refused(List<Fault> faults) -> throw failure(faults);
                    });
        }
        return founded;
    }

    /** A node that has something of a seat which no Redis node knows: the seat was founded once, and is lost. */
    private static void refuseIfLost(NodeConfig config, RedisSettings settings, SeatId seat) throws NodeFailure {
        boolean known = Survey.of(settings, Set.of(seat)).stream()
                .anyMatch(report -> report instanceof NodeReport.Reached reached
                        && !(reached.seats().get(seat) instanceof SeatLook.Absent));
        if (!known) {
            Optional<String> lost = lost(config, seat);
            if (lost.isPresent()) {
                throw new NodeFailure(ExitCode.ENGINE, lost.get());
            }
        }
    }

    /** Why this seat must not be founded anew, if this node has blocks of it, or has followed it. */
    static Optional<String> lost(NodeConfig config, SeatId seat) throws NodeFailure {
        Path blocks = KeptBlocks.folder(config.data(), seat);
        try {
            if (!BlockStore.hasBlocks(blocks)) {
                return RememberingDuty.lost(seat, config.data());
            }
            return Optional.of(seat + " is kept nowhere, but " + blocks + " has blocks of it: it was founded and is"
                    + " lost (expected: baton recover, which goes on from the nodes' own blocks)");
        } catch (IOException e) {
            throw new NodeFailure(ExitCode.DATA_FOLDER, "data: " + blocks + " cannot be read: " + e, e);
        }
    }

    /** Looks whether a node could start; writes nothing. */
    public static void check(NodeConfig config) throws NodeFailure {
        List<SeatId> seats =
                config.seats().stream().map(seat -> seat.id(config.cluster())).toList();
        StartCheck check = StartCheck.of(RedisSetup.of(config), seats, PREFIX);
        if (!check.faults().isEmpty()) {
            throw failure(check.faults());
        }
    }

    static NodeFailure failure(List<Fault> faults) {
        return new NodeFailure(
                ExitCode.ENGINE, faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
    }

    static List<String> words(MemberSet members) {
        return members.members().stream().map(Member::toString).toList();
    }
}
