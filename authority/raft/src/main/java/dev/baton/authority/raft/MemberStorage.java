package dev.baton.authority.raft;

import dev.baton.core.NodeId;
import java.io.IOException;
import java.io.StringReader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A member's directory: locked, and marked with whose it is.
 *
 * <p>The engine does not remember the name of the member that a directory belongs to, and a second attempt to open one
 * in the same process takes the lock away from the first. So this class stands in front of it: {@code lock},
 * {@code identity}, and {@code ratis/} for the engine.
 */
final class MemberStorage implements AutoCloseable {

    private static final int FORMAT = 1;

    /** Directories open in this process: file locks only keep other processes out. */
    private static final Set<Path> OPEN = new HashSet<>();

    /** Whose directory it is. {@code joined} is false from the first start until the group has taken the member in. */
    record Identity(MemberId member, boolean joined) {}

    private final RaftSettings settings;
    private final Path folder;
    private @Nullable FileChannel lock;
    private @Nullable Identity identity;

    private MemberStorage(RaftSettings settings, Path folder) {
        this.settings = settings;
        this.folder = folder;
    }

    static MemberStorage open(RaftSettings settings) {
        try {
            Files.createDirectories(settings.storage());
            Path folder = settings.storage().toRealPath();
            synchronized (OPEN) {
                if (!OPEN.add(folder)) {
                    throw new StorageRefusedException("storage: " + folder
                            + " is open in this process already (expected: a directory for each member)");
                }
            }
            MemberStorage storage = new MemberStorage(settings, folder);
            try {
                storage.lock();
                storage.identity = storage.readIdentity();
            } catch (IOException | RuntimeException e) {
                storage.close();
                throw e;
            }
            return storage;
        } catch (IOException e) {
            throw new StorageRefusedException(
                    "storage: " + settings.storage() + " cannot be used: " + e.getMessage()
                            + " (expected: a directory that this process may write to)",
                    e);
        }
    }

    private void lock() throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        lock = channel;
        FileLock held;
        try {
            held = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            held = null;
        }
        if (held == null) {
            throw new StorageRefusedException("storage: " + folder
                    + " is locked by another process (expected: nobody uses it; stop the other node first)");
        }
    }

    /** Whose directory this is, unless it is new. */
    Optional<Identity> identity() {
        return Optional.ofNullable(identity);
    }

    /** The engine's own folder. */
    Path engine() {
        return folder.resolve("ratis");
    }

    Path removed() {
        return folder.resolve("removed");
    }

    private @Nullable Identity readIdentity() throws IOException {
        Path file = folder.resolve("identity");
        if (!Files.exists(file)) {
            if (Files.exists(engine())) {
                throw new StorageRefusedException("storage: " + folder
                        + " holds a log but no identity file (expected: both; restore it, or empty the directory and"
                        + " join again)");
            }
            return null;
        }
        Properties found = new Properties();
        found.load(new StringReader(Files.readString(file)));
        int format = Integer.parseInt(found.getProperty("format", "0"));
        if (format < 1 || format > FORMAT) {
            throw new StorageRefusedException("storage: " + folder + " has format " + format + " (expected: " + FORMAT
                    + "; start the version that wrote it, or upgrade this node)");
        }
        check("cluster", found.getProperty("cluster"), settings.cluster().value());
        check("node", found.getProperty("node"), settings.node().value());
        String member = found.getProperty("member", "");
        if (!member.equals(settings.node().value())
                && !member.startsWith(settings.node().value() + ".")) {
            check("member", member, settings.node().value());
        }
        return new Identity(new MemberId(member), Boolean.parseBoolean(found.getProperty("joined")));
    }

    private void check(String what, @Nullable String found, String expected) {
        if (!expected.equals(found)) {
            throw new StorageRefusedException("storage: " + folder + " belongs to " + what + " " + found
                    + " (expected: " + expected + "; point this node to its own directory)");
        }
    }

    /**
     * Whether the engine's record of its term and its vote is torn. On a full disk Ratis (3.3.0) gives its file a name
     * although it could not write it, so the member has forgotten its votes, just as one that has lost its disk.
     */
    private boolean hasForgottenItsVotes() throws IOException {
        if (!Files.isDirectory(engine())) {
            return false;
        }
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(engine())) {
            for (Path group : groups) {
                Path file = group.resolve("current").resolve("raft-meta");
                if (Files.isRegularFile(file)) {
                    Properties found = new Properties();
                    found.load(new StringReader(Files.readString(file)));
                    if (found.getProperty("term") == null || found.getProperty("votedFor") == null) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * Makes this the directory of a new member that has yet to join; what the old one left is put aside. First the mark:
     * whoever is interrupted in between finds the torn file again, and begins again.
     */
    void beginAnew() throws IOException {
        mark(new Identity(MemberId.again(settings.node()), false));
        delete(lost());
        Files.move(engine(), lost(), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Whether a new member has to take the place of the one that this directory belonged to. A member whose votes were torn
     * must not go on as who it was: it could vote twice. So it takes the way of one that has lost its disk, without being
     * told to, because nothing but a full disk has happened to it.
     */
    boolean isToBeginAnew() throws IOException {
        if (identity != null && !settings.others().isEmpty() && hasForgottenItsVotes()) {
            RaftAuthority.LOG.warn(
                    "storage: {}: the record of this member's term and vote is torn, as a full disk leaves it; it joins"
                            + " again, as a new member",
                    folder);
            beginAnew();
        }
        return identity != null && !identity.joined() && Files.exists(lost());
    }

    /** The new member has joined: what the old one left is of no use to anybody. */
    void forgetTheLost() throws IOException {
        delete(lost());
    }

    private Path lost() {
        return folder.resolve("lost");
    }

    private static void delete(Path tree) throws IOException {
        if (Files.exists(tree)) {
            try (Stream<Path> files = Files.walk(tree)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Marks the directory, atomically and durably, before the engine writes anything there. */
    void mark(Identity marked) {
        NodeId node = settings.node();
        String text = "format=" + FORMAT + "\ncluster=" + settings.cluster() + "\nnode=" + node + "\nmember="
                + marked.member() + "\njoined=" + marked.joined() + "\n";
        try {
            Path next = folder.resolve("identity.next");
            try (FileChannel out = FileChannel.open(
                    next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                out.write(StandardCharsets.UTF_8.encode(text));
                out.force(true);
            }
            Files.move(next, folder.resolve("identity"), StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
                directory.force(true);
            }
            identity = marked;
        } catch (IOException e) {
            throw new StorageRefusedException("storage: " + folder + " cannot be marked: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            throw new StorageRefusedException("storage: " + folder + " cannot be unlocked", e);
        } finally {
            synchronized (OPEN) {
                OPEN.remove(folder);
            }
        }
    }
}
