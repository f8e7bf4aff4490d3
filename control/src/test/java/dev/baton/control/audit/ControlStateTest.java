package dev.baton.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlStateTest {

    private final ControlState state = new ControlState();

    @Test
    void aRecordThatIsSentAgainIsWrittenOnce() {
        String json = Records.deed("n1", 5, "").toJson();

        assertThat(state.apply(json)).isPresent();
        assertThat(state.apply(json)).isEmpty();
        assertThat(state.count()).isEqualTo(1);
    }

    @Test
    void theRecordsOfTwoNodesDoNotStandInEachOthersWay() {
        assertThat(state.apply(Records.deed("n1", 9, "").toJson())).isPresent();
        assertThat(state.apply(Records.deed("n2", 1, "").toJson())).isPresent();
    }

    @Test
    void theFirstAnswerToAKeyStays() {
        AuditRecord first = Records.deed("n1", 1, "k");
        state.apply(first.toJson());
        state.apply(Records.deed("n2", 1, "k").toJson());

        assertThat(state.answer(first.scope())).hasValue(first);
    }

    @Test
    void answersAreForgottenInTheirOrder() {
        for (int i = 0; i <= ControlState.REMEMBERED; i++) {
            state.apply(Records.deed("n1", i + 1, "k" + i).toJson());
        }

        assertThat(state.answer(Records.deed("n1", 1, "k0").scope())).isEmpty();
        assertThat(state.answer(Records.deed("n1", 1, "k1").scope())).isPresent();
    }

    @Test
    void aCheckpointIsTheWholeState() {
        for (int i = 1; i <= 300; i++) {
            state.apply(Records.deed("n1", i, "k" + i).toJson());
        }
        ControlState restored = ControlState.decode(state.encode());

        String next = Records.deed("n1", 301, "next").toJson();
        assertThat(restored.apply(next)).isEqualTo(state.apply(next));
        assertThat(restored.apply(Records.deed("n1", 300, "late").toJson())).isEmpty();
        assertThat(restored.answer(Records.deed("n1", 1, "k300").scope())).isPresent();
        assertThat(restored.encode()).isEqualTo(state.encode());
    }
}
