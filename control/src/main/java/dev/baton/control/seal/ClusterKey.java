package dev.baton.control.seal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that the nodes of a cluster share, and what they seal with it. Thread-safe. */
public final class ClusterKey {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 32;

    private final SecretKeySpec key;

    private ClusterKey(byte[] secret) {
        this.key = new SecretKeySpec(secret, ALGORITHM);
    }

    /** A key that nobody else has. */
    public static ClusterKey random() {
        return new ClusterKey(fresh());
    }

    private static byte[] fresh() {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return secret;
    }

    /** Makes the file with a new key, readable for its owner alone; leaves one that exists as it is. */
    public static void createIfAbsent(Path file) throws IOException {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            return;
        }
        Files.writeString(file, Base64.getEncoder().encodeToString(fresh()) + "\n");
    }

    /** Reads the file; its text is 32 bytes or more in Base64, and nobody but its owner may read it. */
    public static ClusterKey read(Path file) throws IOException {
        Set<PosixFilePermission> others = EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
        others.retainAll(Files.getPosixFilePermissions(file));
        if (!others.isEmpty()) {
            throw new IOException(file + " is readable for others (expected: for its owner alone; chmod 600 " + file
                    + "): whoever has the key can make tickets");
        }
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(Files.readString(file).strip());
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is not a key (expected: at least " + BYTES + " bytes in Base64)", e);
        }
        if (secret.length < BYTES) {
            throw new IOException(
                    file + " holds " + secret.length + " bytes (expected: at least " + BYTES + ", in Base64)");
        }
        return new ClusterKey(secret);
    }

    /**
     * The seal of a statement.
     *
     * @param purpose what kind of statement it is, so that one kind never passes for another
     */
    byte[] seal(String purpose, byte[] statement) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(purpose.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(statement);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** By which two keys can be compared without showing them. */
    public String fingerprint() {
        return HexFormat.of().formatHex(seal("baton key fingerprint 1", new byte[0]), 0, 8);
    }

    /** Takes equally long whichever byte differs. */
    boolean isSealed(String purpose, byte[] statement, byte[] seal) {
        return MessageDigest.isEqual(seal(purpose, statement), seal);
    }
}
