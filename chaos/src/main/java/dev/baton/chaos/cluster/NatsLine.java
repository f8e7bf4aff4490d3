package dev.baton.chaos.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A plain connection to a NATS server, for a few questions: the judge's view must not come through the product's client. */
final class NatsLine implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 20_000;
    private static final String INBOX = "chaos.judge";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Socket socket;
    private final DataInputStream in;

    private NatsLine(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    static NatsLine to(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        Socket socket = new Socket();
        socket.connect(
                new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
                PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        NatsLine line = new NatsLine(socket);
        String inbox = INBOX + "." + socket.getLocalPort();
        line.send("CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB " + inbox + " 1\r\n");
        return line;
    }

    /** Asks JetStream, and waits for its answer. */
    JsonNode ask(String subject, String body) throws IOException {
        String inbox = INBOX + "." + socket.getLocalPort();
        send("PUB " + subject + " " + inbox + " " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n" + body
                + "\r\n");
        while (true) {
            String head = line();
            if (head.startsWith("MSG ")) {
                byte[] answer = in.readNBytes(Integer.parseInt(head.substring(head.lastIndexOf(' ') + 1)));
                line();
                return JSON.readTree(answer);
            }
            if (head.equals("PING")) {
                send("PONG\r\n");
            } else if (head.startsWith("-ERR")) {
                throw new IOException("NATS says " + head);
            }
        }
    }

    private void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
