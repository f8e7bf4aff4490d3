package dev.baton.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.baton.core.ClusterId;
import dev.baton.core.Epoch;
import dev.baton.core.Era;
import dev.baton.core.Hash;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.SeatName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A mark as a file of the node's data folder: it outlives the process and whatever the engine forgets. */
final class MarkFile {

    private static final int FORMAT = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final Path file;

    private MarkFile(Path folder, SeatName seat) {
        this.folder = folder;
        this.file = folder.resolve(seat + ".json");
    }

    /** The one of this seat, in the folder of a node. */
    static MarkFile of(Path data, SeatName seat) {
        return new MarkFile(data.resolve("followed"), seat);
    }

    /** The mark, if there is one; what was damaged is refused, since nobody knows any more what it said. */
    Optional<LedgerMark> read() throws NodeFailure {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(mark(JSON.readTree(Files.readString(file))));
        } catch (JsonProcessingException e) {
            throw damaged(e.getOriginalMessage());
        } catch (IllegalArgumentException e) {
            throw damaged(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new NodeFailure(ExitCode.DATA_FOLDER, "data: " + file + " cannot be read: " + e, e);
        }
    }

    private LedgerMark mark(JsonNode fields) throws NodeFailure {
        int format = fields.path("format").asInt(0);
        if (format > FORMAT) {
            throw new NodeFailure(
                    ExitCode.DATA_FOLDER,
                    "data: " + file + " has format " + format + " (expected: format " + FORMAT
                            + " or older; run the version of Baton that wrote it)");
        }
        LedgerMark mark = new LedgerMark(
                new SeatId(
                        new ClusterId(fields.path("cluster").asText()),
                        new SeatName(fields.path("seat").asText()),
                        new Era(fields.path("era").asInt(0))),
                new Head(
                        new Height(fields.path("height").asLong(-1)),
                        Hash.parse(fields.path("hash").asText())),
                new Epoch(fields.path("epoch").asLong(-1)));
        if (!fields.path("sum").asText().equals(mark.sum().toString())) {
            throw new IllegalArgumentException("its sum differs");
        }
        return mark;
    }

    private NodeFailure damaged(String why) {
        return new NodeFailure(
                ExitCode.DATA_FOLDER,
                "data: " + file + " is damaged: " + why + " (expected: how far this node had followed the ledger;"
                        + " remove the file only if the engine has lost nothing, for the node then believes it)");
    }

    /** In place of the one before, as a whole or not at all. */
    void write(LedgerMark mark) throws IOException {
        Files.createDirectories(folder);
        DataFolder.replace(
                file,
                JSON.createObjectNode()
                                .put("format", FORMAT)
                                .put("cluster", mark.seat().cluster().value())
                                .put("seat", mark.seat().seat().value())
                                .put("era", mark.seat().era().value())
                                .put("height", mark.height().value())
                                .put("hash", mark.head().hash().toString())
                                .put("epoch", mark.epoch().value())
                                .put("sum", mark.sum().toString())
                                .toPrettyString()
                        + "\n");
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
