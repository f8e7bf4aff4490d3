package dev.baton.control.certs;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority for development, and the certificates that it issues, as PEM files in one folder. */
public final class DevelopmentCertificates {

    private static final String SIGNATURE = "SHA256withECDSA";
    private static final Duration BACKDATED = Duration.ofMinutes(5); // clocks differ

    private final Path folder;
    private final String name;
    private final KeyPair keys;
    private final X509Certificate certificate;

    private DevelopmentCertificates(Path folder, String name, KeyPair keys, X509Certificate certificate) {
        this.folder = folder;
        this.name = name;
        this.keys = keys;
        this.certificate = certificate;
    }

    /** What a certificate is for. */
    public enum Use {
        SERVER,
        CLIENT
    }

    /** Makes a new authority; its key never leaves this process, so that it can issue nothing later. */
    public static DevelopmentCertificates found(Path folder, String name, Duration validFor)
            throws IOException, GeneralSecurityException {
        Files.createDirectories(folder);
        KeyPair keys = newKeys();
        X500Name subject = new X500Name("CN=" + name);
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                        subject,
                        serial(),
                        Date.from(now.minus(BACKDATED)),
                        Date.from(now.plus(validFor)),
                        subject,
                        keys.getPublic())
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        X509Certificate certificate = signed(builder, keys);
        writePem(folder.resolve("ca.crt"), certificate);
        return new DevelopmentCertificates(folder, name, keys, certificate);
    }

    public X509Certificate authority() {
        return certificate;
    }

    /**
     * Issues a certificate: {@code file.crt} and {@code file.key}.
     *
     * @param names the subject alternative names: addresses, host names, or URIs such as {@code baton://demo/operator}
     */
    public void issue(String file, Use use, List<String> names, Instant notAfter)
            throws IOException, GeneralSecurityException {
        KeyPair own = newKeys();
        Instant notBefore = notAfter.minus(Duration.ofDays(3650));
        Instant backdated = Instant.now().minus(BACKDATED);
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                        new X500Name("CN=" + name),
                        serial(),
                        Date.from(
                                notBefore.isAfter(backdated)
                                        ? notBefore
                                        : notAfter.isBefore(backdated)
                                                ? notAfter.minus(Duration.ofDays(1))
                                                : backdated),
                        Date.from(notAfter),
                        new X500Name("CN=" + file),
                        own.getPublic())
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                .addExtension(
                        Extension.extendedKeyUsage,
                        false,
                        new ExtendedKeyUsage(
                                use == Use.SERVER
                                        ? new KeyPurposeId[] {
                                            KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                                        }
                                        : new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth}))
                .addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(names.stream()
                                .map(DevelopmentCertificates::generalName)
                                .toArray(GeneralName[]::new)));
        writePem(folder.resolve(file + ".crt"), signed(builder, keys));
        writeKey(folder.resolve(file + ".key"), own);
    }

    private static GeneralName generalName(String name) {
        if (name.contains("://")) {
            return new GeneralName(GeneralName.uniformResourceIdentifier, name);
        }
        boolean isAddress = name.matches("[0-9.]+") || name.contains(":");
        return new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, name);
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static BigInteger serial() {
        return new BigInteger(127, new SecureRandom()).add(BigInteger.ONE);
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, KeyPair by)
            throws GeneralSecurityException {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(by.getPrivate())));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private static void writePem(Path file, Object content) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
            pem.writeObject(content);
        }
        Files.writeString(file, text.toString());
    }

    /** Readable for its owner alone, from the first byte on. */
    private static void writeKey(Path file, KeyPair keys) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(
                file, PosixFilePermissions.asFileAttribute(Set.copyOf(PosixFilePermissions.fromString("rw-------"))));
        writePem(file, new JcaPKCS8Generator(keys.getPrivate(), null));
    }
}
