package dev.baton.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.chaos.run.PlantedBug.Edit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlantedBugTest {

    private static final String MODULE = "authority/redis";
    private static final String SCRIPT = "dev/baton/authority/redis/script/append.lua";

    @TempDir
    Path folder = Path.of("");

    /** The second one once wrote over the first, and the bug that was looked for was not there. */
    @Test
    void twoEditsOfOneFileAreBothThere() throws IOException {
        Path classes = PlantedBug.of(
                        new Edit(MODULE, SCRIPT, "if isOver(epoch) then", "if first then"),
                        new Edit(MODULE, SCRIPT, "if first then", "if second then -- first"))
                .into(folder);

        assertThat(Files.readString(classes.resolve(SCRIPT)))
                .contains("if second then -- first")
                .doesNotContain("if isOver(epoch) then");
    }

    @Test
    void aLineThatIsNotThereIsNoBug() {
        assertThatThrownBy(() -> PlantedBug.of(new Edit(MODULE, SCRIPT, "no such line", ""))
                        .into(folder))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the line that is to be changed");
    }
}
