package dev.baton.authority.redis;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The certificates for talking to the Redis nodes, all in PEM.
 *
 * @param authority what the nodes' certificates must be signed by
 * @param client what we show to them, if they ask for it
 */
public record TlsFiles(Path authority, Optional<ClientFiles> client) {

    /**
     * Our own certificate.
     *
     * @param key the private key, PKCS#8
     * @param certificate the certificate chain
     */
    public record ClientFiles(Path key, Path certificate) {}

    Map<String, Path> named() {
        Map<String, Path> named = new LinkedHashMap<>();
        named.put("authority", authority);
        client.ifPresent(files -> {
            named.put("key", files.key());
            named.put("certificate", files.certificate());
        });
        return named;
    }
}
