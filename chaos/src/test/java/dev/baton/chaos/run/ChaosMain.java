package dev.baton.chaos.run;

/** The command in a process of its own, for tests that end it. */
final class ChaosMain {

    private ChaosMain() {}

    public static void main(String[] args) {
        System.exit(ChaosCommand.commands().execute(args));
    }
}
