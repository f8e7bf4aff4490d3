package dev.baton.node.http;

import dev.baton.node.config.NodeConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes of PEM files what the JDK's own TLS needs. */
public final class PemFiles {

    private static final char[] NO_PASSWORD = new char[0];

    private PemFiles() {}

    /** For either end: its own certificate and key, and the authorities whom it believes. */
    public static SSLContext context(NodeConfig.Tls tls) throws IOException {
        try {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, NO_PASSWORD);
            own.setKeyEntry(
                    "node",
                    privateKey(tls.key()),
                    NO_PASSWORD,
                    certificates(tls.certificate()).toArray(new Certificate[0]));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, NO_PASSWORD);

            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, NO_PASSWORD);
            int number = 0;
            for (Certificate certificate : certificates(tls.trust())) {
                trusted.setCertificateEntry("trust-" + number++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);

            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("tls: " + e.getMessage() + " (expected: PEM files that belong together)", e);
        }
    }

    private static List<? extends Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        String base64 = Files.readString(file, StandardCharsets.US_ASCII)
                .replaceAll("-----(BEGIN|END) PRIVATE KEY-----", "")
                .replaceAll("\\s", "");
        PKCS8EncodedKeySpec encoded;
        try {
            encoded = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " (expected: one private key, PKCS#8 in PEM, without a password)", e);
        }
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // not of this kind: try the next
            }
        }
        throw new IOException(file + " (expected: an EC, RSA or Ed25519 key)");
    }
}
