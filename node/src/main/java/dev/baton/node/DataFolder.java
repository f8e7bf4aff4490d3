package dev.baton.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.core.ClusterId;
import dev.baton.core.Era;
import dev.baton.core.NodeId;
import dev.baton.core.SeatName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The folder in which one node keeps everything, and the proof that it is this node's.
 *
 * <p>{@code identity} says whose folder it is; {@code lock} is held as long as a process uses it; {@code followed} says how
 * far the ledgers were followed.
 */
public final class DataFolder implements AutoCloseable {

    /** The layout that this version writes, and the newest that it reads. */
    public static final int FORMAT = 1;

    private static final String IDENTITY = "identity";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final ClusterId cluster;
    private final NodeId node;
    private final FolderLock lock;
    private final Map<SeatName, Era> eras;

    private DataFolder(Path folder, ClusterId cluster, NodeId node, FolderLock lock, Map<SeatName, Era> eras) {
        this.folder = folder;
        this.cluster = cluster;
        this.node = node;
        this.lock = lock;
        this.eras = eras;
    }

    /** Opens the folder, or makes it; it is this process's alone until it is closed. */
    public static DataFolder open(Path folder, ClusterId cluster, NodeId node) throws NodeFailure {
        FolderLock lock = null;
        try {
            Files.createDirectories(folder);
            lock = lock(folder);
            Map<SeatName, Era> eras = identify(folder, cluster, node);
            return new DataFolder(folder, cluster, node, lock, eras);
        } catch (IOException e) {
            release(lock);
            throw new NodeFailure(
                    ExitCode.DATA_FOLDER,
                    "data: " + folder + " cannot be used: " + e + " (expected: a folder that this user may write)",
                    e);
        } catch (NodeFailure e) {
            release(lock);
            throw e;
        }
    }

    private static FolderLock lock(Path folder) throws IOException, NodeFailure {
        try {
            return FolderLock.take(folder);
        } catch (FolderLock.InUse e) {
            throw new NodeFailure(
                    ExitCode.DATA_FOLDER,
                    "data: " + folder + " is in use by process " + e.pid()
                            + " (expected: a folder of this node's own; stop that process, or configure another"
                            + " folder)");
        }
    }

    private static void release(@Nullable FolderLock lock) {
        if (lock != null) {
            lock.close();
        }
    }

    private static Map<SeatName, Era> identify(Path folder, ClusterId cluster, NodeId node)
            throws IOException, NodeFailure {
        Path file = folder.resolve(IDENTITY);
        Map<SeatName, Era> eras = new TreeMap<>();
        if (!Files.exists(file)) {
            write(file, cluster, node, eras);
            return eras;
        }
        JsonNode identity;
        try {
            identity = JSON.readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw refused(file + " is damaged: " + e.getOriginalMessage(), "restore it, or move the folder aside");
        }
        int format = identity.path("format").asInt(0);
        if (format < 1 || format > FORMAT) {
            throw refused(
                    file + " has format " + format,
                    "format " + FORMAT + " or older; run the version of Baton that wrote it");
        }
        String otherCluster = identity.path("cluster").asText();
        if (!otherCluster.equals(cluster.value())) {
            throw refused(
                    folder + " belongs to cluster \"" + otherCluster + "\"",
                    "cluster \"" + cluster + "\"; configure another folder, or the right cluster");
        }
        String otherNode = identity.path("node").asText();
        if (!otherNode.equals(node.value())) {
            throw refused(
                    folder + " belongs to node \"" + otherNode + "\"",
                    "node \"" + node + "\"; each node has a folder of its own");
        }
        for (Map.Entry<String, JsonNode> era : identity.path("eras").properties()) {
            eras.put(new SeatName(era.getKey()), new Era(era.getValue().asInt(1)));
        }
        return eras;
    }

    private static NodeFailure refused(String found, String expected) {
        return new NodeFailure(ExitCode.DATA_FOLDER, "data: " + found + " (expected: " + expected + ")");
    }

    private static void write(Path file, ClusterId cluster, NodeId node, Map<SeatName, Era> eras) throws IOException {
        ObjectNode identity = JSON.createObjectNode();
        identity.put("format", FORMAT).put("cluster", cluster.value()).put("node", node.value());
        ObjectNode seats = identity.putObject("eras");
        eras.forEach((seat, era) -> seats.put(seat.value(), era.value()));
        replace(file, identity.toPrettyString() + "\n");
    }

    /** Written aside, synced and renamed, so that a crash leaves the old file or the new one. */
    static void replace(Path file, String text) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out = FileChannel.open(
                aside, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = utf8(text);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    public Path path() {
        return folder;
    }

    /** The era in which this node knows the seat. */
    public Era era(SeatName seat) {
        return Optional.ofNullable(eras.get(seat)).orElse(Era.FIRST);
    }

    /**
     * Notes the era in which this node serves the seat from now on. A lower one than before is refused: whoever was
     * fenced by a new era must not return to the old one by mistake.
     */
    public void enter(SeatName seat, Era era) throws NodeFailure {
        Era known = era(seat);
        if (era.compareTo(known) < 0) {
            throw refused(
                    folder + " has served seat " + seat + " in era " + known,
                    "era: " + known + " or higher in the configuration of that seat, not " + era);
        }
        if (era.equals(known)) {
            return;
        }
        eras.put(seat, era);
        try {
            write(folder.resolve(IDENTITY), cluster, node, eras);
        } catch (IOException e) {
            throw new NodeFailure(
                    ExitCode.DATA_FOLDER,
                    "data: " + folder + " cannot be written: " + e + " (expected: a folder that this user may write)",
                    e);
        }
    }

    public Path sub(String name) {
        return folder.resolve(name);
    }

    /** Lets another process use the folder. */
    @Override
    public void close() {
        lock.close();
    }
}
