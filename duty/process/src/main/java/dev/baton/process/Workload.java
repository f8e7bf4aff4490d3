package dev.baton.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The processes that belong together and must not outlive a term, found anew each time that they are asked for.
 *
 * <p>They are known by something that a child inherits and nobody changes by accident, because process ids of children
 * are lost when their parent dies, and a parent that was killed leaves its children working. Linux only; processes of
 * another user are seen by root alone.
 */
public sealed interface Workload {

    /** All processes that work in this folder: how a database's are found, which all change into its data. */
    record InFolder(Path folder) implements Workload {
        @Override
        public boolean owns(Path process) throws IOException {
            return Files.readSymbolicLink(process.resolve("cwd")).equals(folder);
        }
    }

    /** All processes that were started with this variable in their environment, and their descendants. */
    record Marked(String variable, String value) implements Workload {
        @Override
        public boolean owns(Path process) throws IOException {
            String environment = new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.UTF_8);
            return ("\0" + environment).contains("\0" + variable + "=" + value + "\0");
        }
    }

    /** Whether this is one of them; fails for a process that has ended, or that this user may not look into. */
    boolean owns(Path process) throws IOException;

    /** Those that live now. A process that has ended but was not waited for is none: it does nothing any more. */
    default List<Long> processes() {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : all) {
                try {
                    if (owns(process)) {
                        found.add(Long.parseLong(process.getFileName().toString()));
                    }
                } catch (IOException gone) {
                    // It ended while we looked, or is somebody else's.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("/proc cannot be read (expected: Linux)", e);
        }
        return found;
    }

    /** Those among them that no other of them started: whom to ask politely. */
    default List<Long> roots() {
        List<Long> all = processes();
        Set<Long> members = new HashSet<>(all);
        return all.stream()
                .filter(pid -> ProcessHandle.of(pid)
                        .flatMap(ProcessHandle::parent)
                        .filter(parent -> members.contains(parent.pid()))
                        .isEmpty())
                .toList();
    }

    /**
     * Whether none of them lives. Two looks, because one can miss a process: while it becomes another program its
     * environment is empty, and a child may get a number that the look has passed already, from a parent that then ends.
     */
    default boolean isDown() {
        boolean noneAtFirst = processes().isEmpty();
        return noneAtFirst && processes().isEmpty();
    }
}
