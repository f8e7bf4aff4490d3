package dev.baton.formal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

class TlcOutputTest {

    private static final String VIOLATION = """
            Error: Invariant NoFork is violated.
            Error: The behavior up to this point is:
            State 1: <Initial predicate>
            /\\ promised = (n1 :> 0 @@ n2 :> 0)
            /\\ log = ( n1 :> <<>> @@
              n2 :> <<>> )

            State 2: <WriteTo line 1, col 2 to line 3, col 4 of module Ledger>
            /\\ promised = (n1 :> 0 @@ n2 :> 2)
            /\\ log = ( n1 :> <<>> @@
              n2 :> <<[ballot |-> 2, author |-> a]>> )

            1,234 states generated, 56 distinct states found, 7 states left on queue.
            """;

    @Test
    void aTraceShowsOnlyWhatEachStepChanged() {
        TlcOutput output = new TlcOutput(VIOLATION);
        assertThat(output.trace()).extracting(Step::action).containsExactly("Init", "WriteTo");
        assertThat(output.trace().get(1).changed())
                .containsExactly(entry("promised[n2]", "2"), entry("log[n2]", "a@2"));
    }

    @Test
    void theViolatedInvariantAndTheCountsAreRead() {
        TlcOutput output = new TlcOutput(VIOLATION);
        assertThat(output.violated()).contains("NoFork");
        assertThat(output.states()).isEqualTo(1234);
        assertThat(output.distinct()).isEqualTo(56);
    }

    @Test
    void theLastCountIsTheOneThatCounts() {
        TlcOutput output = new TlcOutput("""
                Progress(10) at 2026-01-01 00:00:00: 12,886 states generated (12,886 s/min), 2,521 distinct states found (2,521 ds/min), 1,070 states left on queue.
                20000 states generated, 3000 distinct states found, 0 states left on queue.
                """);
        assertThat(output.states()).isEqualTo(20_000);
        assertThat(output.distinct()).isEqualTo(3_000);
    }

    @Test
    void anEntryThatInstallsASetSaysSo() {
        assertThat(TlaParser.parse("<<[ballot |-> 1, after |-> {n1, n3}, under |-> {n1}, author |-> c]>>")
                        .brief())
                .isEqualTo("c@1 installing {n1, n3}");
    }
}
