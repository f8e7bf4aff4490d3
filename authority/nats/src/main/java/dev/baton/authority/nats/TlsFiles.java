package dev.baton.authority.nats;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The certificates for talking to NATS, all in PEM.
 *
 * @param trust what the servers' certificates must be signed by
 * @param client what we show to them, if they ask for it
 */
public record TlsFiles(Path trust, Optional<ClientFiles> client) {

    /**
     * Our own certificate.
     *
     * @param key the private key, PKCS#8
     * @param certificate the certificate chain
     */
    public record ClientFiles(Path key, Path certificate) {}

    Map<String, Path> named() {
        Map<String, Path> named = new LinkedHashMap<>();
        named.put("trust", trust);
        client.ifPresent(files -> {
            named.put("key", files.key());
            named.put("certificate", files.certificate());
        });
        return named;
    }
}
