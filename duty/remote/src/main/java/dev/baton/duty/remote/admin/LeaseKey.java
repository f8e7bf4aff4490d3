package dev.baton.duty.remote.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that nodes and their sequencers share: the file that {@code baton certs} calls {@code cluster.key}.
 *
 * <p>The seal's purpose is its own, so that no other sealed statement of the cluster passes for a lease. Thread-safe.
 */
public final class LeaseKey {

    private static final String ALGORITHM = "HmacSHA256";
    private static final String PURPOSE = "baton sequencer lease 1";
    private static final int LEAST_BYTES = 32;

    private final SecretKeySpec key;

    private LeaseKey(byte[] secret) {
        this.key = new SecretKeySpec(secret, ALGORITHM);
    }

    /** Reads the file: 32 bytes or more in Base64, and nobody but its owner may read it. */
    public static LeaseKey read(Path file) throws IOException {
        Set<PosixFilePermission> others = EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);
        others.retainAll(Files.getPosixFilePermissions(file));
        if (!others.isEmpty()) {
            throw new IOException(
                    file + " is readable for others (expected: for its owner alone; chmod 600 " + file + ")");
        }
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(Files.readString(file).strip());
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is not a key (expected: at least " + LEAST_BYTES + " bytes in Base64)", e);
        }
        if (secret.length < LEAST_BYTES) {
            throw new IOException(
                    file + " holds " + secret.length + " bytes (expected: at least " + LEAST_BYTES + ", in Base64)");
        }
        return new LeaseKey(secret);
    }

    byte[] seal(byte[] statement) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(PURPOSE.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(statement);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    /** Takes equally long whichever byte differs. */
    boolean isSealed(byte[] statement, byte[] seal) {
        return MessageDigest.isEqual(seal(statement), seal);
    }
}
