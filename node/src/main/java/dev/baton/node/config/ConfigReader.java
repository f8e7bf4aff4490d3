package dev.baton.node.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.baton.authority.etcd.EtcdSettings;
import dev.baton.authority.nats.NatsSettings;
import dev.baton.authority.redis.quorum.QuorumSettings;
import dev.baton.control.rpc.Limits;
import dev.baton.core.ClusterId;
import dev.baton.core.Era;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.core.SeatName;
import dev.baton.core.timing.Fault;
import dev.baton.core.timing.PulsePolicy;
import dev.baton.core.timing.SeatTimings;
import dev.baton.duty.sequencer.SequencerSettings;
import dev.baton.seat.LedgerLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads a node's YAML file.
 *
 * <p>By hand rather than by reflection, so that every fault is found in one go and named by its key.
 */
public final class ConfigReader {

    private static final String NAME = "1 to 63 of a-z, 0-9 and '-'";
    private static final String NODE_NAME = "the name of a node: " + NAME;
    private static final List<String> LEVELS = List.of("ERROR", "WARN", "INFO", "DEBUG", "TRACE");

    private final ObjectMapper yaml = new ObjectMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());
    private final Path base;
    private final List<Fault> faults = new ArrayList<>();

    private ConfigReader(Path base) {
        this.base = base;
    }

    /** Reads the file; paths in it are relative to its folder. */
    public static NodeConfig read(Path file) throws ConfigException {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new ConfigException(
                    file.toString(), List.of(new Fault("file", e.toString(), "a configuration file that can be read")));
        }
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("."));
        return read(file.toString(), text, folder);
    }

    /**
     * Reads the text.
     *
     * @param source what to call it in messages
     * @param base where relative paths begin
     */
    public static NodeConfig read(String source, String text, Path base) throws ConfigException {
        ConfigReader reader = new ConfigReader(base);
        NodeConfig config = reader.bind(reader.parse(text));
        for (Fault relation : config.faults()) {
            // A relation to a value that could not be read says nothing: the value's own fault comes first.
            if (reader.faults.stream().noneMatch(known -> shareSection(known.key(), relation.key()))) {
                reader.faults.add(relation);
            }
        }
        if (!reader.faults.isEmpty()) {
            throw new ConfigException(source, reader.faults);
        }
        return config;
    }

    private static boolean shareSection(String one, String other) {
        return section(one).equals(section(other));
    }

    /** All times of a seat belong together; of the other keys, only equal ones do. */
    private static String section(String key) {
        return key.replaceFirst("^(seats\\[\\d+])\\.(pulse|takeover)\\..*", "$1.times");
    }

    private JsonNode parse(String text) {
        try {
            return Optional.ofNullable(yaml.readTree(text)).orElse(MissingNode.getInstance());
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            String where = at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
            faults.add(new Fault(
                    "file", where + e.getOriginalMessage().lines().findFirst().orElse(""), "well-formed YAML"));
            return MissingNode.getInstance();
        }
    }

    private NodeConfig bind(JsonNode tree) {
        try (Section root = new Section("", tree, faults)) {
            ClusterId cluster = root.required("cluster", NAME, ClusterId::new, new ClusterId("unnamed"));
            NodeId node = root.required("node", NODE_NAME, NodeId::new, new NodeId("unnamed"));
            Path data = root.required("data", "the folder of this node", this::path, base);
            AuthorityConfig authority = authority(root);
            NodeConfig.Listen listen = listen(root, authority, node);
            String advertise = root.optional("advertise", "a host name or address", ConfigReader::host)
                    .orElse(listen.grpc().host());
            Optional<ControlConfig> control = control(root);
            List<SeatConfig> seats = new ArrayList<>(root.sections("seats", this::seat));
            if (control.isPresent() && !seats.isEmpty()) {
                seats.add(seats.getFirst().withControl());
            }
            return new NodeConfig(
                    cluster,
                    node,
                    role(root),
                    data,
                    listen,
                    advertise,
                    authority,
                    seats,
                    peers(root),
                    tls(root),
                    control,
                    log(root));
        }
    }

    private static NodeConfig.Role role(Section root) {
        return root.optional("role", "member or observer", text -> switch (text) {
                    case "member" -> NodeConfig.Role.MEMBER;
                    case "observer" -> NodeConfig.Role.OBSERVER;
                    default -> throw new IllegalArgumentException(text);
                })
                .orElse(NodeConfig.Role.MEMBER);
    }

    private Path path(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("empty");
        }
        return base.resolve(text).normalize();
    }

    private Path readable(String text) {
        Path file = path(text);
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException(text);
        }
        return file;
    }

    static String host(String text) {
        if (text.isBlank() || text.contains("/") || text.contains(" ")) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    private NodeConfig.Listen listen(Section root, AuthorityConfig authority, NodeId node) {
        NodeConfig.Listen otherwise = NodeConfig.Listen.DEFAULT;
        try (Section listen = root.section("listen")) {
            return new NodeConfig.Listen(
                    listen.address("grpc", otherwise.grpc()),
                    listen.address("http", otherwise.http()),
                    listen.address("raft", authority.peers().getOrDefault(node, otherwise.raft())),
                    listen.address("admin", otherwise.admin()));
        }
    }

    private AuthorityConfig authority(Section root) {
        try (Section authority = root.section("authority")) {
            String kind = authority.required(
                    "kind",
                    "one of " + String.join(", ", AuthorityConfig.KINDS),
                    oneOf(AuthorityConfig.KINDS),
                    AuthorityConfig.MEMORY);
            return switch (kind) {
                case AuthorityConfig.REDIS -> redis(authority);
                case AuthorityConfig.ETCD -> etcd(authority);
                case AuthorityConfig.NATS -> nats(authority);
                default -> raft(kind, authority);
            };
        }
    }

    private static AuthorityConfig raft(String kind, Section authority) {
        Map<NodeId, HostPort> peers;
        try (Section members = authority.section("peers")) {
            peers = members.names(
                    NODE_NAME, NodeId::new, (section, key) -> section.optional(key, "host:port", HostPort::parse));
        }
        return new AuthorityConfig(
                kind,
                peers,
                Set.copyOf(authority.values("witness", NODE_NAME, NodeId::new)),
                start(authority, peers.size() == 1),
                authority.duration("election-timeout-min", AuthorityConfig.DEFAULT_ELECTION_MIN),
                authority.duration("election-timeout-max", AuthorityConfig.DEFAULT_ELECTION_MAX),
                authority.duration("request-timeout", AuthorityConfig.DEFAULT_REQUEST_TIMEOUT),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private AuthorityConfig redis(Section authority) {
        QuorumSettings otherwise = QuorumSettings.DEFAULT;
        return AuthorityConfig.on(new RedisConfig(
                authority.values("nodes", "host:port of a Redis node", HostPort::parse),
                access(authority),
                authority.duration("node-timeout", RedisConfig.DEFAULT_NODE_TIMEOUT),
                (int) authority.whole("attempts", 1, RedisConfig.MOST_ATTEMPTS, otherwise.attempts()),
                authority.duration("retry", otherwise.retry()),
                authority.duration("retry-jitter", otherwise.retryJitter()),
                authority.duration("poll", otherwise.poll()),
                authority.duration("poll-jitter", otherwise.pollJitter())));
    }

    private AuthorityConfig etcd(Section authority) {
        return AuthorityConfig.on(new EtcdConfig(
                authority.values("endpoints", "host:port of an etcd member, without http://", HostPort::parse),
                access(authority),
                authority.duration("request-timeout", EtcdSettings.DEFAULT_REQUEST_TIMEOUT),
                authority.duration("compact-after", EtcdSettings.DEFAULT_COMPACT_AFTER),
                authority.whole("defragment-above", 0, Long.MAX_VALUE, EtcdSettings.DEFAULT_DEFRAGMENT_ABOVE_BYTES)));
    }

    private AuthorityConfig nats(Section authority) {
        List<HostPort> servers =
                authority.values("servers", "host:port of a NATS server, without nats://", HostPort::parse);
        return AuthorityConfig.on(new NatsConfig(
                servers,
                access(authority),
                authority.optional("credentials-file", "a file that can be read, as nsc writes it", this::readable),
                authority.duration("request-timeout", NatsSettings.DEFAULT_REQUEST_TIMEOUT),
                (int) authority.whole(
                        "replicas", 1, NatsConfig.MOST_REPLICAS, NatsSettings.replicasFor(servers.size()))));
    }

    private EngineAccess access(Section authority) {
        EngineAccess access = new EngineAccess(
                authority.optional("user", "the name of a user", ConfigReader::word),
                authority.optional("password-file", "a file that can be read, with the password in it", this::readable),
                authority.optional(
                        "password-env", "the name of an environment variable that is set", ConfigReader::setVariable),
                engineTls(authority));
        if (authority.optional("password", "nothing here", text -> text).isPresent()) {
            authority.fault(
                    "password",
                    "in the file",
                    "password-file with the path of a file, or password-env with the name of a variable: a"
                            + " configuration is for everybody to read");
        }
        return access;
    }

    private Optional<EngineAccess.EngineTls> engineTls(Section authority) {
        try (Section tls = authority.section("tls")) {
            if (!tls.isPresent()) {
                return Optional.empty();
            }
            return Optional.of(new EngineAccess.EngineTls(
                    tls.required("trust", "a PEM file that can be read", this::readable, base),
                    tls.optional("certificate", "a PEM file that can be read", this::readable),
                    tls.optional("key", "a PEM file (PKCS#8) that can be read", this::readable)));
        }
    }

    private static String word(String text) {
        if (text.isBlank() || text.contains(" ")) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    private static String setVariable(String name) {
        if (System.getenv(name) == null) {
            throw new IllegalArgumentException(name);
        }
        return name;
    }

    /** A cluster of one has nobody who could miss its votes. */
    private static AuthorityConfig.Start start(Section authority, boolean alone) {
        return authority
                .optional("start", "one of resume, bootstrap, join", text -> switch (text) {
                    case "resume" -> AuthorityConfig.Start.RESUME;
                    case "bootstrap" -> AuthorityConfig.Start.BOOTSTRAP;
                    case "join" -> AuthorityConfig.Start.JOIN;
                    default -> throw new IllegalArgumentException(text);
                })
                .orElse(alone ? AuthorityConfig.Start.BOOTSTRAP : AuthorityConfig.Start.RESUME);
    }

    private static Function<String, String> oneOf(List<String> allowed) {
        return text -> {
            if (!allowed.contains(text)) {
                throw new IllegalArgumentException(text);
            }
            return text;
        };
    }

    private SeatConfig seat(Section seat) {
        SeatName name = seat.required("name", NAME, SeatName::new, new SeatName("unnamed"));
        String duty = seat.required(
                "duty",
                "one of " + String.join(", ", SeatConfig.DUTIES),
                oneOf(SeatConfig.DUTIES),
                SeatConfig.SEQUENCER);
        Era era = new Era((int) seat.whole("era", 1, Integer.MAX_VALUE, Era.FIRST.value()));
        Height base = new Height(seat.whole("era-base", 0, Long.MAX_VALUE, 0));
        for (String other : SeatConfig.DUTIES) {
            if (!other.equals(duty) && seat.has(other)) {
                seat.fault(other, "keys", "no such section, because the duty of this seat is " + duty);
            }
        }
        SeatTimings timings = timings(seat, duty);
        return new SeatConfig(
                name,
                era,
                base,
                duty,
                timings,
                keep(seat),
                seat.truth("evidence", true),
                sequencer(seat),
                TokensConfig.read(seat),
                MempoolConfig.read(seat, this::path),
                PostgresConfig.read(seat, this::path, timings),
                ProcessConfig.read(seat),
                RemoteConfig.read(seat, this::readable));
    }

    private static SeatTimings timings(Section seat, String duty) {
        SeatTimings times = timings(
                seat,
                switch (duty) {
                    case SeatConfig.POSTGRES, SeatConfig.PROCESS, SeatConfig.REMOTE -> PostgresConfig.TIMINGS;
                    default -> SeatTimings.DEFAULT;
                });
        Duration published = switch (duty) {
            case SeatConfig.TOKENS -> TokensConfig.DEFAULT_TAKEOVER;
            case SeatConfig.MEMPOOL -> MempoolConfig.DEFAULT_TAKEOVER;
            default -> Duration.ZERO;
        };
        boolean applies = times.takeoverOverride().isEmpty()
                && times.minimumTakeoverDelay().compareTo(published) < 0;
        return applies ? times.withTakeover(published) : times;
    }

    private static SeatTimings timings(Section seat, SeatTimings otherwise) {
        try (Section pulse = seat.section("pulse");
                Section takeover = seat.section("takeover")) {
            SeatTimings profile = profile(pulse, otherwise);
            PulsePolicy policy = profile.policy();
            Optional<Duration> delay = takeover.optional("delay", Durations.EXPECTED, Durations::parse);
            return new SeatTimings(
                    pulse.duration("interval", profile.interval()),
                    pulse.duration("timeout", profile.timeout()),
                    new PulsePolicy((int) pulse.whole("failure-threshold", 1, 1000, policy.failureThreshold()), (int)
                            pulse.whole("success-threshold", 1, 1000, policy.successThreshold())),
                    takeover.duration("stop", profile.stop()),
                    takeover.duration("margin", profile.margin()),
                    takeover.decimal("clock-rate-bound", profile.clockRateBound()),
                    delay.or(profile::takeoverOverride));
        }
    }

    private static SeatTimings profile(Section pulse, SeatTimings otherwise) {
        SeatTimings profile = pulse.optional(
                        "profile", "one of " + Profiles.NAMES, name -> Profiles.of(name, otherwise))
                .orElse(otherwise);
        if (pulse.has("profile") && (pulse.has("failure-threshold") || pulse.has("success-threshold"))) {
            pulse.fault("profile", "with thresholds beside it", "either a profile or thresholds, not both");
        }
        return profile;
    }

    private static LedgerLimits keep(Section seat) {
        LedgerLimits otherwise = LedgerLimits.DEFAULT;
        try (Section keep = seat.section("keep")) {
            return new LedgerLimits(
                    (int) keep.whole("entries", 16, Integer.MAX_VALUE, otherwise.entries()),
                    keep.whole("bytes", 1 << 20, Long.MAX_VALUE, otherwise.bytes()));
        }
    }

    private SeatConfig.SequencerConfig sequencer(Section seat) {
        try (Section sequencer = seat.section("sequencer")) {
            SequencerSettings settings = settings(sequencer);
            Map<NodeId, String> signers;
            try (Section keys = sequencer.section("signers")) {
                signers = keys.names(
                        NODE_NAME,
                        NodeId::new,
                        (section, key) -> section.optional(
                                key, "an Ed25519 public key, X.509 encoded, in Base64", PublicKeys::checked));
            }
            try (Section da = sequencer.section("da")) {
                return new SeatConfig.SequencerConfig(settings, signers, da.optional("folder", "a folder", this::path));
            }
        }
    }

    /** How these relate to each other is checked by the settings themselves. */
    private static SequencerSettings settings(Section sequencer) {
        SequencerSettings otherwise = SequencerSettings.DEFAULT;
        return otherwise
                .withLimits(
                        (int) sequencer.whole("max-block-bytes", 1, Integer.MAX_VALUE, otherwise.maxBlockBytes()),
                        (int) sequencer.whole(
                                "max-transaction-bytes", 1, Integer.MAX_VALUE, otherwise.maxTransactionBytes()),
                        (int) sequencer.whole("max-pending", 1, Integer.MAX_VALUE, otherwise.maxPending()))
                .withCheckpointEvery(
                        (int) sequencer.whole("checkpoint-every", 1, Integer.MAX_VALUE, otherwise.checkpointEvery()))
                .withForward(sequencer.truth("forward", otherwise.forward()));
    }

    private static Map<NodeId, NodeConfig.Peer> peers(Section root) {
        try (Section peers = root.section("peers")) {
            return peers.names(NODE_NAME, NodeId::new, (section, key) -> {
                try (Section peer = section.section(key)) {
                    HostPort nowhere = new HostPort("127.0.0.1", 0);
                    return Optional.of(new NodeConfig.Peer(
                            peer.required("grpc", "host:port", HostPort::parse, nowhere),
                            peer.optional("http", "host:port", HostPort::parse)));
                }
            });
        }
    }

    private Optional<ControlConfig> control(Section root) {
        try (Section control = root.section("control")) {
            if (!control.isPresent()) {
                return Optional.empty();
            }
            Limits otherwise = Limits.DEFAULT;
            return Optional.of(new ControlConfig(
                    control.address("listen", ControlConfig.DEFAULT_LISTEN),
                    control.required(
                            "key",
                            "a file that can be read, with the cluster's key as baton certs makes it",
                            this::readable,
                            base),
                    control.optional("policy", "a YAML file that can be read", this::readable),
                    tls(control),
                    new Limits(
                            otherwise.requestBytes(),
                            (int) control.whole("requests-per-second", 1, 1_000_000, otherwise.perSecond()),
                            (int) control.whole("request-burst", 1, 1_000_000, otherwise.burst()),
                            (int) control.whole("concurrent-requests", 1, 10_000, otherwise.concurrent()))));
        }
    }

    private Optional<NodeConfig.Tls> tls(Section root) {
        try (Section tls = root.section("tls")) {
            if (!tls.isPresent()) {
                return Optional.empty();
            }
            return Optional.of(new NodeConfig.Tls(
                    tls.required("certificate", "a PEM file that can be read", this::readable, base),
                    tls.required("key", "a PEM file (PKCS#8) that can be read", this::readable, base),
                    tls.required("trust", "a PEM file that can be read", this::readable, base)));
        }
    }

    private static NodeConfig.LogConfig log(Section root) {
        try (Section log = root.section("log")) {
            return new NodeConfig.LogConfig(
                    log.optional("format", "text or json", text -> switch (text) {
                                case "text" -> NodeConfig.LogConfig.Format.TEXT;
                                case "json" -> NodeConfig.LogConfig.Format.JSON;
                                default -> throw new IllegalArgumentException(text);
                            })
                            .orElse(NodeConfig.LogConfig.DEFAULT.format()),
                    log.optional(
                                    "level",
                                    "one of " + String.join(", ", LEVELS),
                                    text -> oneOf(LEVELS).apply(text.toUpperCase(Locale.ROOT)))
                            .orElse(NodeConfig.LogConfig.DEFAULT.level()));
        }
    }
}
