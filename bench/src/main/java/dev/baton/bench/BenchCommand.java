package dev.baton.bench;

import picocli.CommandLine.Command;

/** {@code baton bench …}. */
@Command(
        name = "bench",
        description = "Measures; every result names the machine and the commit.",
        subcommands = {LedgerCommand.class})
public final class BenchCommand {}
