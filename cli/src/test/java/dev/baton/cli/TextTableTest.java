package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void numbersStandToTheRightAndWordsToTheLeft() {
        assertThat(new TextTable("NAME", "N")
                        .row("a", 1)
                        .row("long-name", 1000)
                        .row("b", "-")
                        .lines())
                .containsExactly("NAME          N", "a             1", "long-name  1000", "b             -");
    }

    @Test
    void aRowHasACellForEachHeading() {
        assertThatThrownBy(() -> new TextTable("A", "B").row("only one")).hasMessage("1 cells (expected: 2)");
    }
}
