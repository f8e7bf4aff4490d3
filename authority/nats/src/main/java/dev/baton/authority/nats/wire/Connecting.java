package dev.baton.authority.nats.wire;

import dev.baton.authority.nats.Login;
import dev.baton.authority.nats.NatsSettings;
import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.time.Duration;

/** Opens one connection to one server. */
public final class Connecting {

    private static final Duration WITHIN = Duration.ofSeconds(2);
    private static final Duration SHORTEST_PING = Duration.ofMillis(500);

    private Connecting() {}

    /**
     * Blocks for a few seconds at most. The connection does not come back by itself when it breaks: what was under way
     * then ends at once, and nothing that was given up is sent later.
     */
    public static Connection to(String endpoint, NatsSettings settings, ConnectionListener listener)
            throws IOException, InterruptedException {
        Complaints complaints = new Complaints();
        Options.Builder options = new Options.Builder()
                .server((settings.tls().isPresent() ? "tls://" : "nats://") + endpoint)
                .connectionName("baton")
                .noReconnect()
                .ignoreDiscoveredServers()
                .reportNoResponders()
                .connectionTimeout(WITHIN)
                .pingInterval(longer(settings.requestTimeout(), SHORTEST_PING))
                .maxPingsOut(2)
                .errorListener(complaints)
                .connectionListener(listener);
        if (settings.tls().isPresent()) {
            options.sslContext(Tls.context(settings.tls().get()));
        }
        if (settings.login().isPresent()) {
            switch (settings.login().get()) {
                case Login.ByPassword(String user, String password) ->
                    options.userInfo(user.toCharArray(), password.toCharArray());
                case Login.ByCredentials(var file) -> options.authHandler(Nats.credentials(file.toString()));
            }
        }
        try {
            return Nats.connect(options.build());
        } catch (AuthenticationException e) {
            throw e;
        } catch (IOException e) {
            throw complaints.last.isEmpty() ? e : new IOException(e.getMessage() + ": " + complaints.last, e);
        }
    }

    /** jnats tells a listener why it cannot connect, and the caller only that it cannot. */
    private static final class Complaints implements ErrorListener {

        private volatile String last = "";

        @Override
        public void exceptionOccurred(Connection connection, Exception failure) {
            last = explain(failure);
        }

        @Override
        public void errorOccurred(Connection connection, String error) {
            last = error;
        }
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** What went wrong, with the deepest reason, which is the one that helps. */
    public static String explain(Throwable failure) {
        StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            String more = String.valueOf(cause.getMessage());
            if (text.indexOf(more) < 0) {
                text.append(": ").append(more);
            }
        }
        return text.toString();
    }
}
