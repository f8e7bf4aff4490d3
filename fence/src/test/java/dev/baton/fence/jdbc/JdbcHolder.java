package dev.baton.fence.jdbc;

import dev.baton.fence.Admission;
import dev.baton.fence.Fence;
import dev.baton.fence.testing.Orders;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;

/** Writes lines into a table, each in a fenced transaction: {@code write x}, or {@code begin x} and {@code commit}. */
final class JdbcHolder {

    private JdbcHolder() {}

    public static void main(String[] args) throws Exception {
        Fence fence = Fence.parse(args[1]);
        JdbcFence guard = JdbcFence.of("lines");
        try (Connection connection = DriverManager.getConnection(args[0])) {
            connection.setAutoCommit(false);
            Orders.follow(order -> switch (order.replaceFirst(" .*", "")) {
                case "write" -> {
                    String begun = begin(guard, connection, fence, order.replaceFirst(".* ", ""));
                    connection.commit();
                    yield begun;
                }
                case "begin" -> {
                    String begun = begin(guard, connection, fence, order.replaceFirst(".* ", ""));
                    try (Statement statement = connection.createStatement()) {
                        // Only now: a slow machine must not lose the transaction before it is paused.
                        statement.execute("SET idle_in_transaction_session_timeout = 500");
                    }
                    yield begun;
                }
                default -> {
                    connection.commit();
                    yield "committed";
                }
            });
        }
    }

    private static String begin(JdbcFence guard, Connection connection, Fence fence, String line) throws Exception {
        if (guard.admit(connection, fence) instanceof Admission.Refused refused) {
            return "refused: " + refused.reason();
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO lines VALUES (?)")) {
            insert.setString(1, line);
            insert.executeUpdate();
        }
        return "wrote";
    }
}
