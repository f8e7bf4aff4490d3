package dev.baton.chaos.nemesis;

import dev.baton.chaos.nemesis.Nemesis.NotPossibleException;
import dev.baton.chaos.plan.PlannedFault;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Another time inside one process, by libfaketime: the wall clock and the monotonic clock alike. */
final class FakeTime {

    private static final String LIBRARY = "libfaketimeMT.so.1";

    private FakeTime() {}

    /** What a process has to find in its environment. */
    static Map<String, String> environment(PlannedFault fault) throws NotPossibleException {
        Path library = library()
                .orElseThrow(() -> new NotPossibleException(
                        LIBRARY + " is not installed (expected: the Debian package faketime)"));
        String time = String.format(
                Locale.ROOT,
                "%+.3f x%.3f",
                fault.number("offsetMillis") / 1000.0,
                fault.number("ratePermille") / 1000.0);
        return Map.of("LD_PRELOAD", library.toString(), "FAKETIME", time);
    }

    private static Optional<Path> library() {
        for (Path folder : List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib"))) {
            Path here = folder.resolve("faketime").resolve(LIBRARY);
            if (Files.exists(here)) {
                return Optional.of(here);
            }
            try (DirectoryStream<Path> machines = Files.newDirectoryStream(folder, "*-linux-gnu*")) {
                for (Path machine : machines) {
                    Path there = machine.resolve("faketime").resolve(LIBRARY);
                    if (Files.exists(there)) {
                        return Optional.of(there);
                    }
                }
            } catch (IOException e) {
                // No such folder.
            }
        }
        return Optional.empty();
    }
}
