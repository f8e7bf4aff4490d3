package dev.baton.control.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Text files that are on the disk when a method returns. */
public final class DurableText {

    private DurableText() {}

    /** Adds a line. */
    public static void append(Path file, String line) throws IOException {
        write(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Written aside and renamed, so that a crash leaves the old file or the new one. */
    public static void replace(Path file, String text) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        write(aside, text, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void write(Path file, String text, OpenOption... options) throws IOException {
        try (FileChannel out = FileChannel.open(file, options)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
    }
}
