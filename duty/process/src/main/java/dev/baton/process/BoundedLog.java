package dev.baton.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A log that a process appends to for as long as it lives, kept from filling the disk.
 *
 * <p>The process has the file open and would go on writing to one that was moved away. So what is in it is copied beside
 * it, over the copy before, and the file is emptied: whoever appends goes on at its new end. What is written between the
 * two is lost.
 */
public record BoundedLog(Path file, long mostBytes) {

    public static final long DEFAULT_MOST_BYTES = 16 << 20;

    /** Where the part before is. */
    public Path earlier() {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    /** Empties the log if it is too long; cheap if it is not. */
    public void bound() throws IOException {
        if (Files.exists(file) && Files.size(file) > mostBytes) {
            Files.copy(file, earlier(), StandardCopyOption.REPLACE_EXISTING);
            FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                    .close();
        }
    }
}
