package dev.baton.duty.postgres;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The texts of the server's own configuration files, which the node writes whole. */
final class ServerFiles {

    private ServerFiles() {}

    static String configuration(
            PostgresSettings settings,
            Programs programs,
            @Nullable ClusterRecord primary,
            String synchronous,
            Map<String, Integer> floors) {
        Map<String, String> values = new TreeMap<>(Map.of(
                "max_wal_senders", "16",
                "max_replication_slots", "16",
                "wal_keep_size", "512MB",
                "max_slot_wal_keep_size", "4GB",
                "wal_receiver_timeout", "5s",
                "wal_sender_timeout", "5s",
                "wal_retrieve_retry_interval", "200ms",
                "logging_collector", "off",
                "password_encryption", "scram-sha-256"));
        values.putAll(settings.parameters());
        floors.forEach((name, least) -> values.merge(
                name, least.toString(), (wanted, floor) -> Long.parseLong(wanted) < least ? floor : wanted));
        // What everything else here rests on; no setting of the user's replaces it.
        values.putAll(Map.of(
                "listen_addresses", settings.listen(),
                "port", Integer.toString(settings.port()),
                "unix_socket_directories", programs.sockets().toString(),
                "wal_level", "replica",
                "hot_standby", "on",
                "wal_log_hints", "on",
                "fsync", "on",
                "full_page_writes", "on",
                "restart_after_crash", "off",
                "recovery_target_timeline", "latest"));
        values.put("synchronous_standby_names", synchronous);
        values.put("primary_conninfo", primary == null ? "" : connection(settings, programs, primary));
        values.put("primary_slot_name", primary == null ? "" : PostgresSettings.slot(settings.node()));
        StringBuilder text = new StringBuilder("""
                # Written by this node at each start; settings belong into its own file.
                include_if_exists = 'postgresql.base.conf'
                """);
        values.forEach((name, value) -> text.append(name)
                .append(" = '")
                .append(value.replace("'", "''"))
                .append("'\n"));
        return text.toString();
    }

    private static String connection(PostgresSettings settings, Programs programs, ClusterRecord primary) {
        return "host=" + primary.host() + " port=" + primary.port() + " user=" + Database.REPLICATION
                + " passfile=" + programs.passwords() + " application_name=" + settings.node()
                + " connect_timeout=3 keepalives_idle=2 keepalives_interval=1 keepalives_count=3";
    }

    static String access(PostgresSettings settings) {
        StringBuilder text =
                new StringBuilder("# Written by this node at each start; lines belong into its own file.\n");
        settings.access().forEach(line -> text.append(line).append('\n'));
        if (settings.access().isEmpty()) {
            text.append("host all all all scram-sha-256\n");
        }
        // The nodes themselves: pulses from here, standbys and rewinds from the others.
        text.append("local all postgres scram-sha-256\n");
        text.append("host all postgres all scram-sha-256\n");
        text.append("host replication ").append(Database.REPLICATION).append(" all scram-sha-256\n");
        return text.toString();
    }
}
