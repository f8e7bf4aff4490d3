package dev.baton.fence.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes that are on the disk when they return. */
final class DurableFile {

    private DurableFile() {}

    /** Readers see the old content or the new one, never a part; so does whoever starts after a power failure. */
    static void replace(Path file, ByteBuffer content) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                aside, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            writeAll(channel, content);
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncFolderOf(file);
    }

    static void append(Path file, ByteBuffer content) throws IOException {
        boolean isNew = !Files.exists(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            writeAll(channel, content);
        }
        if (isNew) {
            syncFolderOf(file);
        }
    }

    private static void writeAll(FileChannel channel, ByteBuffer content) throws IOException {
        ByteBuffer left = content.duplicate();
        while (left.hasRemaining()) {
            channel.write(left);
        }
        channel.force(true);
    }

    /** A name lasts only when its folder was synced, too. */
    private static void syncFolderOf(Path file) throws IOException {
        try (FileChannel folder = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
