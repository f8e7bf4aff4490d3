package dev.baton.chaos.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.history.Event;
import dev.baton.chaos.history.JournalWriter;
import dev.baton.chaos.plan.FaultKind;
import dev.baton.chaos.plan.PlannedFault;
import dev.baton.chaos.workload.Recorder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is written down of faults, with a hand that does nothing to anybody. */
@Timeout(120)
class NemesisTest {

    private static final PlannedFault FAULT = new PlannedFault(4, 0, 1, FaultKind.KILL, List.of("n1"), Map.of());

    @TempDir
    Path folder = Path.of("");

    private List<Event> eventsOf(Nemesis.Hand hand) throws IOException, InterruptedException {
        try (JournalWriter journal = JournalWriter.create(folder.resolve("journal"));
                Nemesis nemesis = new Nemesis(new Recorder(journal), hand)) {
            nemesis.begin(List.of(FAULT));
            assertThat(nemesis.awaitEnd(Duration.ofMinutes(1))).isTrue();
            assertThat(nemesis.inForce()).isEmpty();
            return journal.events();
        }
    }

    private static Nemesis.Begun ending(Runnable end) {
        return new Nemesis.Begun() {
            @Override
            public List<String> targets() {
                return List.of("n1");
            }

            @Override
            public void end() {
                end.run();
            }
        };
    }

    @Test
    void aFaultThatIsDoneBeginsAndEnds() throws IOException, InterruptedException {
        assertThat(eventsOf(fault -> ending(() -> {})))
                .extracting(Event::getClass)
                .containsExactly(Event.FaultBegan.class, Event.FaultEnded.class);
    }

    @Test
    void aFaultThatBreaksWhileItBeginsIsToldOf() throws IOException, InterruptedException {
        List<Event> events = eventsOf(fault -> {
            throw new UncheckedIOException(new IOException("gone while it was copied"));
        });
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event).isInstanceOf(Event.FaultFailed.class);
            assertThat(((Event.FaultFailed) event).fault()).isEqualTo(4);
            assertThat(((Event.FaultFailed) event).why()).contains("gone while it was copied");
        });
    }

    @Test
    void aFaultThatCannotBeUndoneHasNoEnd() throws IOException, InterruptedException {
        List<Event> events = eventsOf(fault -> ending(() -> {
            throw new IllegalStateException("it does not start");
        }));
        assertThat(events).extracting(Event::getClass).containsExactly(Event.FaultBegan.class, Event.FaultFailed.class);
    }
}
