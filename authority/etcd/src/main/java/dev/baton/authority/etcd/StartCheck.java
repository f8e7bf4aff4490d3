package dev.baton.authority.etcd;

import com.google.protobuf.ByteString;
import dev.baton.authority.etcd.wire.Members;
import dev.baton.authority.etcd.wire.Refusal;
import dev.baton.authority.etcd.wire.Reply;
import dev.baton.core.timing.Fault;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.StatusResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is wrong with the etcd cluster, all of it at once, before anything starts. It only looks: nothing is written.
 *
 * @param faults what forbids a start
 * @param warnings what may start and should be known
 */
public record StartCheck(List<Fault> faults, List<String> warnings) {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\..*");

    public StartCheck {
        faults = List.copyOf(faults);
        warnings = List.copyOf(warnings);
    }

    /** Blocks for a few seconds at most. */
    public static StartCheck of(EtcdSettings settings, String prefix) {
        List<Fault> faults = new ArrayList<>(settings.faults(prefix));
        if (!faults.isEmpty()) {
            return new StartCheck(faults, List.of());
        }
        try (Members members = new Members(settings.withRequestTimeout(PATIENCE))) {
            return of(members, prefix, settings.tls().isPresent());
        }
    }

    private static StartCheck of(Members members, String prefix, boolean tls) {
        List<Asked> asked = members.all().stream()
                .map(member -> new Asked(
                        member.endpoint(),
                        members.status(member),
                        member.ask(KVGrpc.getRangeMethod(), anyKey(), PATIENCE)))
                .toList();
        Judgement judgement = new Judgement(prefix, tls);
        asked.forEach(one ->
                judgement.member(one.endpoint(), one.status().join(), one.read().join()));
        return judgement.result();
    }

    private record Asked(
            String endpoint,
            CompletableFuture<Reply<StatusResponse>> status,
            CompletableFuture<Reply<RangeResponse>> read) {}

    /** A linearizable read needs a leader, a majority and the permission. */
    private static RangeRequest anyKey() {
        return RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8("/baton/"))
                .setRangeEnd(ByteString.copyFromUtf8("/baton0"))
                .setLimit(1)
                .setKeysOnly(true)
                .build();
    }

    /** Collects what the members say. */
    private static final class Judgement {

        private final String prefix;
        private final boolean tls;
        private final List<Fault> faults = new ArrayList<>();
        private final List<Fault> unreachable = new ArrayList<>();
        private final Set<String> clusters = new TreeSet<>();
        private boolean usable;

        Judgement(String prefix, boolean tls) {
            this.prefix = prefix;
            this.tls = tls;
        }

        void member(String endpoint, Reply<StatusResponse> asked, Reply<RangeResponse> read) {
            String key = prefix + "endpoints " + endpoint;
            switch (asked) {
                case Reply.Got<StatusResponse> got -> {
                    status(key, got.value());
                    read(key, read);
                }
                case Reply.Refused<StatusResponse> refused -> refusal(key, refused.refusal(), refused.why());
                case Reply.Unsent<StatusResponse> unsent -> unreachable(key, unsent.why());
                case Reply.Lost<StatusResponse> lost -> unreachable(key, lost.why());
            }
        }

        private void status(String key, StatusResponse status) {
            clusters.add(Long.toHexString(status.getHeader().getClusterId()));
            Matcher version = VERSION.matcher(status.getVersion());
            if (version.matches()) {
                int major = Integer.parseInt(version.group(1));
                int minor = Integer.parseInt(version.group(2));
                if (major < 3 || (major == 3 && minor < 4)) {
                    faults.add(new Fault(key, "etcd " + status.getVersion(), "3.4 or later"));
                }
            }
            for (String error : status.getErrorsList()) {
                if (error.contains("NOSPACE")) {
                    faults.add(new Fault(
                            key,
                            "alarm NOSPACE",
                            "room: compact and defragment the members or raise --quota-backend-bytes, then run etcdctl"
                                    + " alarm disarm"));
                } else if (error.contains("CORRUPT")) {
                    faults.add(new Fault(
                            key, "alarm CORRUPT", "members that agree: replace the corrupt one, see etcd's guide"));
                }
            }
        }

        private void read(String key, Reply<RangeResponse> read) {
            switch (read) {
                case Reply.Got<RangeResponse> ignored -> usable = true;
                case Reply.Refused<RangeResponse> refused -> refusal(key, refused.refusal(), refused.why());
                case Reply.Unsent<RangeResponse> unsent -> unreachable(key, unsent.why());
                case Reply.Lost<RangeResponse> lost -> unreachable(key, "no leader answers: " + lost.why());
            }
        }

        private void refusal(String key, Refusal refusal, String why) {
            switch (refusal) {
                case BAD_LOGIN ->
                    faults.add(new Fault(
                            key, why, "the " + prefix + "user and " + prefix + "password-file that etcd accepts"));
                case DENIED ->
                    faults.add(new Fault(
                            key,
                            why,
                            "a user whose role may read and write the prefix /baton/: etcdctl role grant-permission"
                                    + " ROLE --prefix=true readwrite /baton/"));
                case NO_SPACE, TOO_LARGE, LEASE_GONE, COMPACTED, OTHER ->
                    faults.add(new Fault(key, why, "an etcd that answers"));
            }
        }

        private void unreachable(String key, String why) {
            unreachable.add(new Fault(key, why, remedy(why)));
        }

        private String remedy(String why) {
            // What a port without TLS does to a handshake; one with TLS may do the same to a client without
            // certificate.
            if (tls && (why.contains("NotSslRecord") || why.contains("reset") || why.contains("closed"))) {
                return "TLS on that port: give an https:// URL to etcd's --listen-client-urls, or leave out " + prefix
                        + "tls; and " + prefix + "tls.certificate with its key if etcd asks for one";
            }
            if (why.contains("SSL") || why.contains("Cert") || why.contains("handshake")) {
                return "a certificate signed by " + prefix + "tls.trust, and " + prefix
                        + "tls.certificate with its key if etcd asks for one";
            }
            if (why.contains("SETTINGS")
                    || why.contains("closed")
                    || why.contains("reset")
                    || why.contains("unexpected HTTP")) {
                return "an etcd without TLS on that port; if it speaks TLS, set " + prefix + "tls.trust";
            }
            return "a majority of running members: start this etcd, or correct its address";
        }

        StartCheck result() {
            if (clusters.size() > 1) {
                faults.add(new Fault(
                        prefix + "endpoints",
                        "members of different etcd clusters, ids " + clusters,
                        "endpoints of one cluster"));
            }
            List<String> warnings = new ArrayList<>();
            if (usable) {
                unreachable.forEach(fault -> warnings.add(
                        fault.key() + " cannot be used: " + fault.value() + "; the other members are enough"));
            } else {
                faults.addAll(unreachable);
            }
            return new StartCheck(faults, warnings);
        }
    }
}
