package dev.baton.control.audit;

/** Records for tests. */
final class Records {

    private Records() {}

    static AuditRecord deed(String node, long sequence, String key) {
        return new AuditRecord(
                node,
                sequence,
                "2026-01-01T00:00:00Z",
                "baton://demo/operator",
                "operator",
                "",
                "alice",
                "127.0.0.1",
                "StopSequencer",
                "blocks",
                "disk exchange",
                key,
                "OK",
                "",
                3,
                42,
                "f".repeat(64),
                "CAE=");
    }
}
