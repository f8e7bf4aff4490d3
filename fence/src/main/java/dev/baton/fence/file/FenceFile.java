package dev.baton.fence.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.fence.Fence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file that holds one fence as a line of text. Whoever uses it holds a lock. */
final class FenceFile {

    private final Path file;

    FenceFile(Path file) {
        this.file = file;
    }

    /** A damaged file is refused, never taken for none: that would let everybody in. */
    Optional<Fence> read() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file, UTF_8);
        try {
            return Optional.of(Fence.parse(text.strip()));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is damaged: " + e.getMessage() + "; restore it", e);
        }
    }

    void write(Fence fence) throws IOException {
        DurableFile.replace(file, ByteBuffer.wrap((fence + "\n").getBytes(UTF_8)));
    }
}
