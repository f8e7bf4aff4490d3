package dev.baton.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.Bytes;
import dev.baton.node.http.Answer;
import dev.baton.node.http.Request;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GateTest {

    private final Gate gate = Gate.at(7000);

    private final Map<String, String> headers = new HashMap<>(Map.of(
            "host", "127.0.0.1:7000",
            "origin", "http://127.0.0.1:7000",
            "content-type", "application/json",
            "x-baton-token", gate.token()));

    private Optional<Integer> refusal() {
        return gate.objectionToActing(new Request("POST", "", Map.of(), headers, Bytes.EMPTY))
                .map(Answer::status);
    }

    @Test
    void thePageItselfWithTheTokenMayAct() {
        assertThat(refusal()).isEmpty();
    }

    @Test
    void theCommandLineWithTheTokenMayActWithoutAnOrigin() {
        headers.remove("origin");
        assertThat(refusal()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:7000", "127.0.0.1:7001", "127.0.0.1", ""})
    void aNameThatWasMadeToPointHereIsRefused(String host) {
        headers.put("host", host);
        assertThat(refusal()).contains(403);
        assertThat(gate.objection(new Request("GET", "", Map.of(), headers, Bytes.EMPTY)))
                .as("reading")
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "null", "https://127.0.0.1:7000", "http://127.0.0.1:7001"})
    void aForeignPageIsRefusedEvenWithTheToken(String origin) {
        headers.put("origin", origin);
        assertThat(refusal()).contains(403);
    }

    @Test
    void nobodyActsWithoutTheToken() {
        headers.remove("x-baton-token");
        assertThat(refusal()).contains(401);
        headers.put("x-baton-token", gate.token().substring(1));
        assertThat(refusal()).contains(401);
        headers.put("x-baton-token", Gate.at(7000).token());
        assertThat(refusal()).as("that of another run").contains(401);
    }

    @Test
    void aFormCannotAct() {
        headers.put("content-type", "application/x-www-form-urlencoded");
        assertThat(refusal()).contains(415);
    }
}
