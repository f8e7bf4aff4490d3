package dev.baton.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.core.SeatId;
import dev.baton.core.Term;
import dev.baton.duty.Tenure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlDutyTest {

    @TempDir
    Path folder;

    private static final Tenure TENURE = new Tenure() {
        @Override
        public SeatId seat() {
            return SeatId.of("demo", "control");
        }

        @Override
        public Term term() {
            return new Term(new Epoch(1), new Holder(new NodeId("n1"), new Incarnation(1)));
        }

        @Override
        public Head head() {
            return Head.GENESIS;
        }

        @Override
        public boolean holds() {
            return true;
        }

        @Override
        public Duration timeLeft() {
            return Duration.ofSeconds(1);
        }

        @Override
        public void requestPulse() {}
    };

    private ControlDuty duty() throws IOException {
        ControlDuty duty = new ControlDuty(Book.open(folder.resolve("audit.log")));
        duty.assume(TENURE);
        return duty;
    }

    @Test
    void aDraftThatWasNeverOfferedLosesNoRecord() throws IOException {
        ControlDuty duty = duty();
        String first = Records.deed("n1", 1, "").toJson();
        String second = Records.deed("n1", 2, "").toJson();
        CompletableFuture<Boolean> committed = duty.submit(List.of(first)).toCompletableFuture();
        assertThat(duty.draft(TENURE).payload().toUtf8()).isEqualTo(first + "\n");
        assertThat(duty.submit(List.of(second)).toCompletableFuture()).isNotDone();

        assertThat(duty.draft(TENURE).payload().toUtf8()).isEqualTo(first + "\n" + second + "\n");
        assertThat(committed).isNotDone();
    }

    @Test
    void whoeverWaitsWhenTheTermEndsIsToldThatNothingIsCommitted() throws IOException {
        ControlDuty duty = duty();
        CompletableFuture<Boolean> waiting =
                duty.submit(List.of(Records.deed("n1", 1, "").toJson())).toCompletableFuture();

        duty.relinquish(TENURE, "lost");

        assertThat(waiting).isCompletedWithValue(false);
        assertThat(duty.submit(List.of("{}")).toCompletableFuture()).isCompletedWithValue(false);
    }
}
