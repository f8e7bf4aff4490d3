package dev.baton.node;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.nats.Login;
import dev.baton.authority.nats.NatsAuthority;
import dev.baton.authority.nats.NatsSettings;
import dev.baton.authority.nats.NatsStartException;
import dev.baton.authority.nats.StartCheck;
import dev.baton.authority.nats.TlsFiles;
import dev.baton.core.SeatId;
import dev.baton.core.timing.Fault;
import dev.baton.node.config.EngineAccess;
import dev.baton.node.config.NatsConfig;
import dev.baton.node.config.NodeConfig;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** NATS servers outside, set up as the node's configuration says. */
public final class NatsEngine {

    private NatsEngine() {}

    static Engine open(NodeConfig config) throws NodeFailure {
        NatsSettings settings = settings(config);
        NatsAuthority nats;
        try {
            nats = NatsAuthority.open(settings, seats(config));
        } catch (NatsStartException e) {
            throw new NodeFailure(ExitCode.ENGINE, String.valueOf(e.getMessage()), e);
        }
        SeatAuthority first = nats.seat(config.seats().getFirst().id(config.cluster()));
        return new Engine(
                nats,
                Optional.empty(),
                Optional.of(new NatsNodes(nats)),
                Optional.empty(),
                Optional.of(nats.noticeboard(config.cluster())),
                Optional::empty,
                new Reachability(first::look),
                true);
    }

    /** Whether NATS is fit for these nodes. Blocks for a few seconds at most. */
    public static void check(NodeConfig config) throws NodeFailure {
        refuse(
                ExitCode.ENGINE,
                StartCheck.of(settings(config), seats(config), "authority.").faults());
    }

    private static NatsSettings settings(NodeConfig config) throws NodeFailure {
        NatsConfig nats = config.authority()
                .nats()
                .orElseThrow(() -> new NodeFailure(
                        ExitCode.CONFIGURATION,
                        "authority.kind: " + config.authority().kind() + " (expected: nats)"));
        NatsSettings settings = new NatsSettings(
                nats.addresses(),
                login(nats),
                nats.access().tls().map(NatsEngine::files),
                nats.requestTimeout(),
                Authorities.longestLease(config),
                nats.replicas());
        refuse(ExitCode.CONFIGURATION, settings.faults("authority."));
        return settings;
    }

    private static Optional<Login> login(NatsConfig nats) throws NodeFailure {
        if (nats.credentials().isPresent()) {
            return nats.credentials().map(Login.ByCredentials::new);
        }
        EngineAccess access = nats.access();
        return Password.of(access)
                .map(password -> new Login.ByPassword(access.user().orElse(""), password));
    }

    private static List<SeatId> seats(NodeConfig config) {
        return config.seats().stream().map(seat -> seat.id(config.cluster())).toList();
    }

    private static void refuse(ExitCode code, List<Fault> faults) throws NodeFailure {
        if (!faults.isEmpty()) {
            throw new NodeFailure(code, faults.stream().map(Fault::toString).collect(Collectors.joining("\n")));
        }
    }

    private static TlsFiles files(EngineAccess.EngineTls tls) {
        return new TlsFiles(
                tls.trust(),
                tls.key().flatMap(key -> tls.certificate().map(shown -> new TlsFiles.ClientFiles(key, shown))));
    }
}
