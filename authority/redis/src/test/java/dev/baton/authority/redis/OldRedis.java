package dev.baton.authority.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says that it is a Redis of another age, and nothing else of interest. */
final class OldRedis implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String version;

    OldRedis(String version) throws IOException {
        this.version = version;
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try (socket;
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1))) {
            while (true) {
                List<String> command = command(in);
                socket.getOutputStream().write(reply(command).getBytes(ISO_8859_1));
            }
        } catch (IOException e) {
            // gone
        }
    }

    private static List<String> command(BufferedReader in) throws IOException {
        String head = in.readLine();
        if (head == null) {
            throw new IOException("closed");
        }
        List<String> parts = new ArrayList<>();
        for (int i = Integer.parseInt(head.substring(1)); i > 0; i--) {
            in.readLine();
            parts.add(in.readLine());
        }
        return parts;
    }

    private String reply(List<String> command) {
        String name = command.getFirst().toUpperCase(Locale.ROOT);
        return switch (name) {
            case "PING" -> "+PONG\r\n";
            case "INFO" -> bulk("redis_version:" + version + "\r\nrun_id:abc\r\nrole:master\r\n");
            case "CONFIG" -> config(command.getLast());
            case "TYPE" -> "+none\r\n";
            case "SMEMBERS", "HGETALL" -> "*0\r\n";
            default -> "+OK\r\n";
        };
    }

    private static String config(String name) {
        String value = switch (name) {
            case "maxmemory-policy" -> "noeviction";
            case "appendonly" -> "yes";
            case "appendfsync" -> "always";
            default -> "";
        };
        return "*2\r\n" + bulk(name) + bulk(value);
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
