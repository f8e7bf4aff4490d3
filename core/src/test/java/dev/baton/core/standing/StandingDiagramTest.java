package dev.baton.core.standing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StandingDiagramTest {

    private static final Path PAGE = root().resolve("docs/internals/standing.md");

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return here.endsWith("core") && here.getParent() != null ? here.getParent() : here;
    }

    @Test
    void pageShowsTheTableAsItIs() throws IOException {
        String rendered = new StandingDiagram().render();
        if (Boolean.getBoolean("baton.docs.write")) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, rendered);
        }
        String written = Files.exists(PAGE) ? Files.readString(PAGE) : "";
        assertThat(written)
                .as(
                        "%s differs from the transition table; write it anew with"
                                + " mvn test -pl core -Dtest=StandingDiagramTest -Dbaton.docs.write=true",
                        PAGE)
                .isEqualTo(rendered);
    }

    @Test
    void diagramLeavesOutWhatDoesNotChangeTheStanding() {
        String rendered = new StandingDiagram().render();
        assertThat(rendered)
                .contains("Quiescing --> Leader: Committed")
                .contains("Leader --> Quiescing: HandoffAsked, Released")
                .doesNotContain("Leader --> Opening")
                .doesNotContain("Leader --> Follower")
                .doesNotContain("Leader --> Leader");
    }
}
