package dev.baton.node.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Where something listens, or can be reached. */
public record HostPort(String host, int port) {

    private static final int MAX_PORT = 65_535;

    /** Reads {@code host:port}, with the host of an IPv6 address in brackets. */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            host = ""; // an address in colons without brackets: nobody can tell where its port begins
        }
        if (host.isBlank()) {
            throw new IllegalArgumentException(text + " (expected: host:port)");
        }
        return new HostPort(host, port(text, text.substring(colon + 1)));
    }

    private static int port(String text, String digits) {
        try {
            int port = Integer.parseInt(digits);
            if (port >= 0 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // told below, with the whole text
        }
        throw new IllegalArgumentException(text + " (expected: host:port with a port from 0 to " + MAX_PORT + ")");
    }

    public HostPort withPort(int actual) {
        return new HostPort(host, actual);
    }

    public InetSocketAddress socketAddress() {
        return new InetSocketAddress(host, port);
    }

    /** Whether only this machine can come in this way. */
    public boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Whether it stands for every address of the machine, so that nobody else can use it to come here. */
    public boolean isWildcard() {
        return host.equals("0.0.0.0") || host.equals("::");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
