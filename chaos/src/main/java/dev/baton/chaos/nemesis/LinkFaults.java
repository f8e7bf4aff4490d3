package dev.baton.chaos.nemesis;

import dev.baton.chaos.cluster.Cluster;
import dev.baton.chaos.nemesis.Nemesis.Begun;
import dev.baton.chaos.nemesis.Nemesis.NotPossibleException;
import dev.baton.chaos.plan.Applicability;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.Link;
import dev.baton.chaos.plan.PlannedFault;
import dev.baton.chaos.plan.Topology;
import dev.baton.chaos.proxy.Trouble;
import dev.baton.chaos.proxy.Troubles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Faults of connections: told to the proxies, which know no more than whom to hinder and how. */
final class LinkFaults {

    private final Cluster cluster;

    LinkFaults(Cluster cluster) {
        this.cluster = cluster;
    }

    Begun begin(PlannedFault fault) throws IOException, InterruptedException, NotPossibleException {
        if (fault.kind() == FaultKind.FALSE_EVIDENCE) {
            return falseEvidence(fault);
        }
        List<String> targets = new ArrayList<>();
        for (String each : fault.targets()) {
            boolean noNode = cluster.engines().contains(each);
            targets.add(
                    Leaders.resolve(cluster, fault.kind() == FaultKind.CORRUPT && noNode ? PlannedFault.LEADER : each));
        }
        // A node and what runs beside it share a machine, and its network.
        Set<String> struck = cluster.withCompanions(targets);
        Map<String, String> parameters = sealed(fault, cluster.topology());
        Troubles.Strike strike = fault.kind() == FaultKind.PARTITION
                ? partition(struck, fault.text("way"), cutOf(fault))
                : onLink(
                        struck,
                        Link.valueOf(parameters.getOrDefault("link", "")),
                        troubleOf(fault, cluster.topology()));
        cluster.troubles().begin(fault.id(), strike);
        return new Begun() {
            @Override
            public List<String> targets() {
                return List.copyOf(targets);
            }

            @Override
            public Map<String, String> parameters() {
                return parameters;
            }

            @Override
            public void end() {
                cluster.troubles().end(fault.id());
            }
        };
    }

    /** First the port is closed, then the connections: whoever looks after its connection closed finds nobody. */
    private Begun falseEvidence(PlannedFault fault) throws IOException, InterruptedException, NotPossibleException {
        String node = Leaders.resolve(cluster, fault.targets().getFirst());
        cluster.refusePeers(node);
        cluster.troubles()
                .begin(
                        fault.id(),
                        (wire, direction) ->
                                wire.link() == Link.PEER && wire.to().equals(node)
                                        ? Optional.of(Trouble.RESET)
                                        : Optional.empty());
        return new Begun() {
            @Override
            public List<String> targets() {
                return List.of(node);
            }

            @Override
            public void end() throws IOException, InterruptedException {
                cluster.troubles().end(fault.id());
                cluster.admitPeers(node);
            }
        };
    }

    /**
     * What is done instead of what was planned, where that differs. Where nobody promises to notice changed bytes, those
     * between clients and nodes are changed instead.
     */
    static Map<String, String> sealed(PlannedFault fault, Topology topology) {
        return switch (fault.kind()) {
            case CORRUPT -> {
                boolean noticed = Applicability.mayBeCorrupted(Link.valueOf(fault.text("link")), topology);
                yield Map.of("link", noticed ? fault.text("link") : Link.CLIENT.name());
            }
            case CLIENT_CUT -> Map.of("link", Link.CLIENT.name());
            case PARTITION -> Map.of();
            default -> Map.of("link", fault.text("link"));
        };
    }

    /** One cut in three refuses and resets; the others swallow, as a network without a path does. */
    private static Trouble cutOf(PlannedFault fault) {
        boolean both = fault.kind() != FaultKind.PARTITION || fault.text("way").equals("both");
        return both && fault.id() % 3 == 0 ? Trouble.RESET : Trouble.SILENT;
    }

    static Trouble troubleOf(PlannedFault fault, Topology topology) {
        return switch (fault.kind()) {
            case LATENCY -> Trouble.late(fault.number("delayMillis"), fault.number("jitterMillis"));
            case LOSS -> Trouble.lossy((int) fault.number("stallPercent"), (int) fault.number("resetPercent"));
            case THROTTLE -> Trouble.slow(fault.number("bytesPerSecond"));
            case CORRUPT -> Trouble.flipping(fault.number("oneInBytes"));
            case TRUNCATE -> Trouble.truncating(fault.number("afterBytes"));
            case HALF_OPEN ->
                Applicability.isFoundDumb(Link.valueOf(fault.text("link")), topology)
                        ? Trouble.DEAF
                        : Trouble.FORGOTTEN;
            case CLIENT_CUT -> cutOf(fault);
            default -> throw new IllegalArgumentException(fault.kind().label() + ": no fault of a link");
        };
    }

    private static Troubles.Strike onLink(Set<String> targets, Link link, Trouble trouble) {
        return (wire, direction) -> wire.link() == link && targets.stream().anyMatch(wire::touches)
                ? Optional.of(trouble)
                : Optional.empty();
    }

    /** Clients still reach both sides: a holder that is cut off must not tell them anything new. */
    static Troubles.Strike partition(Set<String> side, String way, Trouble cut) {
        return (wire, direction) -> {
            boolean across = side.contains(wire.from()) != side.contains(wire.to());
            if (!across || wire.link() == Link.CLIENT) {
                return Optional.empty();
            }
            boolean struck = switch (way) {
                case "in" -> side.contains(wire.receiver(direction));
                case "out" -> side.contains(wire.sender(direction));
                default -> true;
            };
            return struck ? Optional.of(cut) : Optional.empty();
        };
    }
}
