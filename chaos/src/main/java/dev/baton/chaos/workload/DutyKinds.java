package dev.baton.chaos.workload;

import java.util.List;

/** The duties there are. */
public final class DutyKinds {

    private static final List<DutyKind> ALL =
            List.of(new SequencerKind(), new TokensKind(), new MempoolKind(), new PostgresKind(), new RemoteKind());

    private DutyKinds() {}

    public static List<String> names() {
        return ALL.stream().map(DutyKind::name).toList();
    }

    public static DutyKind of(String name) {
        return ALL.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "duty: " + name + " (expected: one of " + String.join(", ", names()) + ")"));
    }
}
