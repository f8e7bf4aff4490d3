package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The product with one line changed: its source is copied, changed and compiled into a folder that nodes look into
 * first. So bugs are planted without anything in the product that could be switched on by accident.
 *
 * @param module the folder of the module, from the root of the sources
 * @param type the class that is changed
 */
record PlantedBug(String module, String type, String right, String wrong) {

    /** Compiles the changed class below the folder. */
    Path into(Path folder) throws IOException {
        Path source = Path.of("..", module, "src", "main", "java").resolve(type.replace('.', '/') + ".java");
        String text = Files.readString(source);
        assertThat(text).as("the line that is to be changed").containsOnlyOnce(right);
        String name = type.substring(type.lastIndexOf('.') + 1);
        Path changed = Files.createDirectories(folder.resolve("source")).resolve(name + ".java");
        Files.writeString(changed, text.replace(right, wrong));
        Path classes = Files.createDirectories(folder.resolve("classes"));
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
                            files.getJavaFileObjects(changed))
                    .call();
            assertThat(compiled).as("the changed class compiles").isTrue();
        }
        return classes;
    }
}
