package dev.baton.bench.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.bench.load.LoadReport;
import dev.baton.bench.load.LoadRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EchoTest {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void callersOfAnotherProcessAreAnsweredOnMoreStreamsThanOneConnectionAllows() throws Exception {
        try (Children children = new Children(folder)) {
            int port = EchoServer.startProcess(children);
            Callers callers = Callers.start(
                            children,
                            "echo",
                            JavaProgram.ownClassPath(),
                            TokenCallers.class.getName(),
                            List.of("127.0.0.1:" + port))
                    .awaitReady();

            LoadReport report = callers.ask(LoadRequest.closed(Arm.ECHO.wireName(), 300, 1_000, 2_000));
            LoadReport slowly = callers.ask(LoadRequest.open(Arm.ECHO.wireName(), 100, 500, 2_000));

            assertThat(report.answered()).isPositive();
            assertThat(slowly.answered()).isBetween(1L, 250L);
        }
    }
}
