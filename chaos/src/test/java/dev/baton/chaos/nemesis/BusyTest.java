package dev.baton.chaos.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BusyTest {

    private final Busy busy = new Busy();
    private final List<String> done = new ArrayList<>();

    private Busy.Deed deed(String word) {
        return name -> done.add(word + " " + name);
    }

    @Test
    void aProcessIsFreeAgainWhenItsFaultIsOver() throws IOException, InterruptedException {
        assertThat(busy.take("n1")).isTrue();
        Nemesis.Begun begun = busy.hurt("n1", deed("kill"), deed("start"), deed("repair"));
        assertThat(busy.take("n1")).as("while it is hurt").isFalse();

        begun.end();

        assertThat(busy.take("n1")).isTrue();
        assertThat(done).containsExactly("kill n1", "start n1");
    }

    /** Data that could not be copied once left a server dead, and out of reach of all later faults. */
    @Test
    void aProcessThatWasHurtByHalfIsRepairedAndFree() {
        assertThat(busy.take("n1")).isTrue();
        Busy.Deed half = name -> {
            done.add("kill " + name);
            throw new UncheckedIOException(new IOException("gone while it was copied"));
        };

        assertThatThrownBy(() -> busy.hurt("n1", half, deed("start"), deed("repair")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("gone while it was copied");

        assertThat(done).containsExactly("kill n1", "repair n1");
        assertThat(busy.take("n1")).isTrue();
    }

    @Test
    void aProcessThatCannotBeRepairedIsFreeAllTheSame() {
        assertThat(busy.take("n1")).isTrue();
        Busy.Deed broken = name -> {
            throw new IOException("no such program");
        };

        assertThatThrownBy(() -> busy.hurt("n1", broken, deed("start"), broken)).hasMessage("no such program");

        assertThat(busy.take("n1")).isTrue();
    }
}
