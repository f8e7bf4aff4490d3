package dev.baton.chaos.report;

import dev.baton.chaos.checker.Judgement;
import dev.baton.chaos.history.Account;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a run down for people ({@code report.html}) and for programs ({@code report.json}). */
public final class Report {

    private Report() {}

    /** Writes both files into the folder, over earlier ones, and returns the page. */
    public static Path write(Path folder, Account account, Judgement judgement) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("report.json"), Twin.of(account, judgement) + "\n", StandardCharsets.UTF_8);
        return Files.writeString(
                folder.resolve("report.html"), new Page(account, judgement).html(), StandardCharsets.UTF_8);
    }
}
