package dev.baton.chaos.report;

import dev.baton.chaos.checker.Bounds;
import dev.baton.chaos.checker.Judge;
import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writes two pages to look at, one of a run that passes and one of a run that fails; run it from an editor. */
final class SampleReports {

    private SampleReports() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments.length > 0 ? arguments[0] : "target/sample-reports");
        write(folder.resolve("pass"), ReportTest.LARGE);
        write(folder.resolve("fail"), ReportTest.broken());
    }

    private static void write(Path folder, List<Event> events) throws IOException {
        Account account = Account.of(events);
        System.out.println(Report.write(folder, account, Judge.judge(account, Bounds.usual())));
    }
}
