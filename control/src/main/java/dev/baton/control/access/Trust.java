package dev.baton.control.access;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The authorities whose certificates are believed. */
public final class Trust {

    private static final String CLIENT_USE = "1.3.6.1.5.5.7.3.2";

    private final Set<TrustAnchor> anchors;

    private Trust(Set<TrustAnchor> anchors) {
        this.anchors = anchors;
    }

    /** Reads PEM certificates. */
    public static Trust read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (found.isEmpty()) {
                throw new IOException(file + " holds no certificate (expected: PEM)");
            }
            return new Trust(found.stream()
                    .map(certificate -> new TrustAnchor((X509Certificate) certificate, null))
                    .collect(Collectors.toSet()));
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " is no list of certificates (expected: PEM): " + e.getMessage(), e);
        }
    }

    /** Why a client with this chain is not believed; empty if it is. */
    public Optional<String> objection(List<X509Certificate> chain) {
        X509Certificate leaf = chain.getFirst();
        try {
            CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(chain);
            PKIXParameters parameters = new PKIXParameters(anchors);
            parameters.setRevocationEnabled(false); // certificates are short-lived, and the policy file forgets at once
            CertPathValidator.getInstance("PKIX").validate(path, parameters);
            List<String> uses = leaf.getExtendedKeyUsage();
            return uses != null && !uses.contains(CLIENT_USE)
                    ? Optional.of("the certificate is not for clients")
                    : Optional.empty();
        } catch (CertPathValidatorException e) {
            return Optional.of("the certificate is not believed: " + e.getReason());
        } catch (GeneralSecurityException e) {
            return Optional.of("the certificate cannot be checked");
        }
    }
}
