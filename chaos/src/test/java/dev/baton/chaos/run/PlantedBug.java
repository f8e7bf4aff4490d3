package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The product with a few lines changed: the files are copied, changed and, if they are Java, compiled into a folder that
 * nodes look into first. So bugs are planted without anything in the product that could be switched on by accident.
 */
record PlantedBug(List<Edit> edits) {

    /**
     * One line of the product, and what stands there instead.
     *
     * @param module the folder of the module, from the root of the sources
     * @param file the file, as the class path knows it: a class with dots, or a resource with slashes
     */
    record Edit(String module, String file, String right, String wrong) {

        private boolean isJava() {
            return !file.contains("/");
        }

        private Path source() {
            Path main = Path.of("..", module, "src", "main");
            return isJava()
                    ? main.resolve("java").resolve(file.replace('.', '/') + ".java")
                    : main.resolve("resources").resolve(file);
        }

        private Path below(Path folder) {
            return isJava()
                    ? folder.resolve("source").resolve(file.replace('.', '/') + ".java")
                    : folder.resolve("classes").resolve(file);
        }

        private String appliedTo(String text) {
            assertThat(text).as("the line that is to be changed").containsOnlyOnce(right);
            return text.replace(right, wrong);
        }
    }

    static PlantedBug of(Edit... edits) {
        return new PlantedBug(List.of(edits));
    }

    /** Writes the changed files below the folder; a later edit of a file finds what an earlier one left. */
    Path into(Path folder) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Set<Path> sources = new LinkedHashSet<>();
        for (Edit each : edits) {
            Path file = each.below(folder);
            String text = Files.readString(Files.exists(file) ? file : each.source());
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, each.appliedTo(text));
            if (each.isJava()) {
                sources.add(file);
            }
        }
        if (!sources.isEmpty()) {
            compile(sources, classes);
        }
        return classes;
    }

    private static void compile(Set<Path> sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            null,
                            files,
                            null,
                            List.of(
                                    "-proc:none",
                                    "-d",
                                    classes.toString(),
                                    "-cp",
                                    System.getProperty("java.class.path", "")),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as("the changed classes compile").isTrue();
        }
    }
}
