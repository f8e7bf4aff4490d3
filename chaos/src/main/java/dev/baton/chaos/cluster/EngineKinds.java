package dev.baton.chaos.cluster;

import java.util.List;

/** The authorities there are. */
final class EngineKinds {

    private static final List<EngineKind> ALL =
            List.of(new RaftKind(), new RedisKind(), new EtcdKind(), new NatsKind());

    private EngineKinds() {}

    static List<String> names() {
        return ALL.stream().map(EngineKind::name).toList();
    }

    static EngineKind of(String name) {
        return ALL.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "authority: " + name + " (expected: one of " + String.join(", ", names()) + ")"));
    }
}
