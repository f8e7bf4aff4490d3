package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GuaranteesTest {

    private static final Pattern RULE = Pattern.compile("INV-\\d+");

    private static final Path TOP = top();

    @Test
    void everyGuaranteeIsFoundInTheCodeAndNoOther() throws IOException {
        assertThat(rulesIn(path -> path.toString().contains("/src/main/"))).isEqualTo(documented());
    }

    @Test
    void everyGuaranteeIsAttackedByATest() throws IOException {
        assertThat(rulesIn(path -> path.toString().contains("/src/test/")
                        || path.toString().contains("/tck/")
                        || path.toString().contains("/sim/")))
                .containsAll(documented());
    }

    private static Set<String> documented() throws IOException {
        return rulesOf(Files.readString(TOP.resolve("docs/concepts/guarantees.md")));
    }

    private static Set<String> rulesIn(Predicate<Path> kind) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(TOP)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.toString().contains("/target/"))
                    .filter(kind)
                    .toList()) {
                found.addAll(rulesOf(Files.readString(file)));
            }
        }
        return found;
    }

    private static Set<String> rulesOf(String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = RULE.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }

    private static Path top() {
        return Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
                .filter(folder -> Files.exists(folder.resolve("check")))
                .findFirst()
                .orElseThrow();
    }
}
