package dev.baton.bench.peers;

import dev.baton.bench.load.AsyncCall;
import dev.baton.bench.load.BlockingCall;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** {@code nextval}, each caller over a connection of its own. */
final class PostgresSequence implements Peer {

    private final String url;
    private final List<Connection> connections = new ArrayList<>();
    private final List<BlockingCall> callers = new ArrayList<>();

    PostgresSequence(String endpoint) throws SQLException {
        url = "jdbc:postgresql://" + endpoint + "/postgres?user=postgres";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create sequence if not exists bench");
        }
    }

    @Override
    public AsyncCall caller(int index) {
        while (callers.size() <= index) {
            callers.add(connected(callers.size()));
        }
        return callers.get(index);
    }

    private BlockingCall connected(int index) {
        try {
            Connection connection = DriverManager.getConnection(url);
            connections.add(connection);
            PreparedStatement next = connection.prepareStatement("select nextval('bench')");
            return new BlockingCall("postgres-" + index, () -> {
                try (ResultSet row = next.executeQuery()) {
                    row.next();
                    return row.getLong(1);
                }
            });
        } catch (SQLException e) {
            throw new IllegalStateException("connection " + index + " to " + url + " failed", e);
        }
    }

    @Override
    public void close() throws SQLException {
        callers.forEach(BlockingCall::close);
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
