package dev.baton.bench.postgres;

import java.util.Collection;

/** What a machine's node is told: it listens behind its cable, and knows all others at the far end of theirs. */
final class NodeYaml {

    private NodeYaml() {}

    static String of(Places self, Collection<Places> all, String mode) {
        StringBuilder text = new StringBuilder("cluster: bench\nnode: %s\ndata: %s\nadvertise: %s\n"
                .formatted(self.name(), self.name(), Places.SHOWN));
        text.append("listen:\n");
        listen(text, "grpc", self.grpc());
        listen(text, "http", self.http());
        listen(text, "raft", self.raft());
        listen(text, "admin", self.admin());
        // A lost seat costs the restart of a server here, so nobody is given up within a moment; the guide says the
        // same.
        text.append("authority:\n  kind: raft\n  start: bootstrap\n");
        text.append("  election-timeout-min: 300ms\n  election-timeout-max: 600ms\n  peers:\n");
        all.forEach(each -> text.append("    %s: \"%s:%d\"\n".formatted(each.name(), Places.SHOWN, each.raft())));
        text.append("peers:\n");
        all.forEach(each -> text.append("  %s: {grpc: \"%s:%d\"}\n".formatted(each.name(), Places.SHOWN, each.grpc())));
        // Interval, threshold and margin are what the measurement is defined with.
        text.append("""
                seats:
                  - name: pg
                    duty: postgres
                    pulse: {interval: 500ms, timeout: 500ms, failure-threshold: 2, success-threshold: 2}
                    takeover: {stop: 1500ms, margin: 2s}
                    postgres:
                      mode: %s
                      listen: "%s:%d"
                      advertise: %s
                      superuser-password-file: password
                      replication-password-file: password
                      stop: {fast: 900ms, immediate: 200ms, kill: 400ms}
                      parameters: {shared_buffers: 32MB, max_connections: 60}
                """.formatted(mode, Places.BEHIND, self.postgres(), Places.SHOWN));
        return text.toString();
    }

    private static void listen(StringBuilder text, String what, int port) {
        text.append("  %s: \"%s:%d\"\n".formatted(what, Places.BEHIND, port));
    }
}
