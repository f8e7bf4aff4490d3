package dev.baton.cli.up;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** The passwords of an {@code up} cluster's PostgreSQL: made once, in files that only this user may read. */
final class UpPasswords {

    static final String SUPERUSER = "postgres-password";
    static final String REPLICATION = "replication-password";

    private static final int BYTES = 16;

    private UpPasswords() {}

    static void make(Path data) throws IOException {
        for (String name : new String[] {SUPERUSER, REPLICATION}) {
            Path file = data.resolve(name);
            if (!Files.exists(file)) {
                byte[] secret = new byte[BYTES];
                new SecureRandom().nextBytes(secret);
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.writeString(file, HexFormat.of().formatHex(secret) + "\n");
            }
        }
    }

    static String superuser(Path data) throws IOException {
        return Files.readString(data.resolve(SUPERUSER)).strip();
    }

    /** As root, the servers run as another user, who must get through to their folders; what is in them stays closed. */
    static void letThrough(Path folder) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
        if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
            Files.setPosixFilePermissions(folder, permissions);
        }
    }
}
