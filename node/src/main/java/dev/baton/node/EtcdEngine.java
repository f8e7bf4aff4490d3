package dev.baton.node;

import dev.baton.authority.SeatAuthority;
import dev.baton.authority.etcd.EtcdAuthority;
import dev.baton.authority.etcd.EtcdSettings;
import dev.baton.authority.etcd.EtcdStartException;
import dev.baton.authority.etcd.Login;
import dev.baton.authority.etcd.StartCheck;
import dev.baton.authority.etcd.TlsFiles;
import dev.baton.core.timing.Fault;
import dev.baton.node.config.EngineAccess;
import dev.baton.node.config.EtcdConfig;
import dev.baton.node.config.NodeConfig;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** An etcd cluster outside, set up as the node's configuration says. */
public final class EtcdEngine {

    private EtcdEngine() {}

    static Engine open(NodeConfig config) throws NodeFailure {
        EtcdSettings settings = settings(config);
        EtcdAuthority etcd;
        try {
            etcd = EtcdAuthority.open(settings);
        } catch (EtcdStartException e) {
            throw new NodeFailure(ExitCode.ENGINE, String.valueOf(e.getMessage()), e);
        }
        SeatAuthority first = etcd.seat(config.seats().getFirst().id(config.cluster()));
        return new Engine(
                etcd,
                Optional.empty(),
                Optional.of(new EtcdNodes(etcd)),
                Optional.of(() -> room(etcd)),
                Optional.empty(),
                Optional::empty,
                new Reachability(first::look),
                true);
    }

    private static List<EngineRoom.Used> room(EtcdAuthority etcd) throws InterruptedException {
        try {
            return etcd.room().toCompletableFuture().get().stream()
                    .map(room -> new EngineRoom.Used(room.member(), room.bytes(), room.quotaBytes(), room.isFull()))
                    .toList();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the etcd authority broke", e.getCause());
        }
    }

    /** Whether the etcd cluster is fit for these nodes. Blocks for a few seconds at most. */
    public static void check(NodeConfig config) throws NodeFailure {
        refuse(ExitCode.ENGINE, StartCheck.of(settings(config), "authority.").faults());
    }

    private static EtcdSettings settings(NodeConfig config) throws NodeFailure {
        EtcdConfig etcd = config.authority()
                .etcd()
                .orElseThrow(() -> new NodeFailure(
                        ExitCode.CONFIGURATION,
                        "authority.kind: " + config.authority().kind() + " (expected: etcd)"));
        EngineAccess access = etcd.access();
        EtcdSettings settings = new EtcdSettings(
                etcd.addresses(),
                Password.of(access).map(password -> new Login(access.user().orElse(""), password)),
                access.tls().map(EtcdEngine::files),
                etcd.requestTimeout(),
                Authorities.longestLease(config),
                etcd.compactAfter(),
                etcd.defragmentAboveBytes());
        refuse(ExitCode.CONFIGURATION, settings.faults("authority."));
        return settings;
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
