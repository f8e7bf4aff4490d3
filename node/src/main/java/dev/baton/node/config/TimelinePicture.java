package dev.baton.node.config;

import dev.baton.core.timing.SeatTimings;
import java.time.Duration;

/** When a lost holder stops and its successor begins, as a small picture with the numbers filled in. */
record TimelinePicture(SeatTimings timings) {

    @Override
    public String toString() {
        Duration fenced = timings.fenceAfter();
        Duration down = fenced.plus(timings.stop());
        String a = Durations.show(fenced);
        String b = Durations.show(down);
        String c = Durations.show(timings.takeoverDelay());
        int first = a.length() + 4;
        int second = b.length() + 4;
        int third = c.length() + 4;
        return "  old holder  |" + "=".repeat(first) + "|" + "~".repeat(second) + "|" + " ".repeat(third)
                + "   = may act   ~ is being stopped\n"
                + "  successor   |" + ".".repeat(first) + "." + ".".repeat(second) + "." + ".".repeat(third)
                + "|==>   . waits\n"
                + "              0" + " ".repeat(4) + a + " ".repeat(5) + b + " ".repeat(5) + c
                + "   after the last good pulse\n";
    }
}
