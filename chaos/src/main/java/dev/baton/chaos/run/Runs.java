package dev.baton.chaos.run;

import java.io.IOException;
import java.util.function.Consumer;

/** Makes runs; tests make up what comes of them. */
interface Runs {

    /** Runs until the verdict; an {@link IOException} says that there was nothing to judge. */
    ChaosRun.Outcome run(ChaosSettings settings, Consumer<String> tell) throws IOException, InterruptedException;
}
