package dev.baton.chaos.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** Whole folders. */
public final class FileTrees {

    private FileTrees() {}

    /** Deletes a folder and all that is in it; nothing happens if it is not there. */
    public static void delete(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Copies a folder while somebody may be writing in it; what is deleted meanwhile is left out. */
    public static void copy(Path from, Path to) throws IOException {
        delete(to);
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path path : tree.toList()) {
                Path copy = to.resolve(from.relativize(path).toString());
                try {
                    if (Files.isDirectory(path)) {
                        Files.createDirectories(copy);
                    } else {
                        Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING);
                    }
                } catch (NoSuchFileException e) {
                    // Gone meanwhile.
                }
            }
        }
    }
}
