package dev.baton.authority.redis.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A plain connection to a Redis, so that a test can look at it without the code under test. */
final class Resp implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 5000;

    private final Socket socket;
    private final InputStream in;

    Resp(int port) throws IOException {
        socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Strings, {@code Long}s, lists of those, {@code "(nil)"}; an error is a {@link RedisError}. */
    Object call(String... command) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(("*" + command.length + "\r\n").getBytes(ISO_8859_1));
        for (String part : command) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            out.write(("$" + bytes.length + "\r\n").getBytes(ISO_8859_1));
            out.write(bytes);
            out.write("\r\n".getBytes(ISO_8859_1));
        }
        socket.getOutputStream().write(out.toByteArray());
        return reply();
    }

    private Object reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> throw new RedisError(rest);
            case ':' -> Long.parseLong(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("reply: " + line + " (expected: RESP2)");
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "(nil)";
        }
        byte[] bytes = in.readNBytes(length);
        in.readNBytes(2);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private List<Object> list(int length) throws IOException {
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            items.add(reply());
        }
        return items;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\r'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection was closed");
            }
            line.append((char) next);
        }
        in.readNBytes(1);
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
