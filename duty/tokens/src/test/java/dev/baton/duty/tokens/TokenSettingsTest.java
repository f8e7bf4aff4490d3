package dev.baton.duty.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.core.timing.Fault;
import dev.baton.duty.tokens.TokenSettings.Region;
import dev.baton.duty.tokens.fixture.HandLedger;
import dev.baton.duty.tokens.fixture.HandNode;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenSettingsTest {

    @Test
    void theDefaultsAreInOrder() {
        assertThat(TokenSettings.DEFAULT.faults("tokens.")).isEmpty();
    }

    @Test
    void everyFaultIsReportedAtOnceWithItsKey() {
        TokenSettings wrong = new TokenSettings(true, 0, 0, 0, 0, 0, 0, 0, Optional.of(new Region(2, 2)));
        assertThat(wrong.faults("tokens."))
                .extracting(Fault::key)
                .containsExactly(
                        "tokens.max-count",
                        "tokens.max-namespaces",
                        "tokens.max-waiting",
                        "tokens.max-batch",
                        "tokens.leased-ahead",
                        "tokens.window",
                        "tokens.checkpoint-every",
                        "tokens.region.index");
        assertThat(wrong.faults("tokens.").getFirst()).hasToString("tokens.max-count: 0 (expected: 1 or more)");
        assertThat(TokenSettings.DEFAULT.withRegion(new Region(0, 0)).faults(""))
                .extracting(Fault::key)
                .containsExactly("region.of");
    }

    @Test
    void aDutyDoesNotStartWithFaults() {
        TokenSettings wrong = TokenSettings.DEFAULT.withRegion(new Region(3, 2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HandNode("n1", new HandLedger(), wrong))
                .withMessageContaining("tokens.region.index: 3");
    }
}
