package dev.baton.cli.up;

import dev.baton.cli.Output;
import dev.baton.cli.cluster.NodeView;
import dev.baton.cli.command.StatusCommand;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A live table on a terminal: the nodes, and what happened last below them. Redrawn in place. */
final class Screen implements Reporter {

    private static final int LAST_EVENTS = 8;
    private static final int REDRAW_MILLIS = 250;
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";
    private static final String CLEAR_LINE = "\u001b[2K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private final Output output;
    private final Supplier<List<NodeView>> nodes;
    private final Supplier<List<String>> servers;
    private final Supplier<Tally> tally;
    private final int columns;
    private final Deque<String> events = new ArrayDeque<>();
    private final List<String> hints = new ArrayList<>();
    private final ScheduledExecutorService redraws = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("screen").daemon().factory());
    private int drawn;
    private boolean closed;

    Screen(
            Output output,
            int columns,
            Supplier<List<NodeView>> nodes,
            Supplier<List<String>> servers,
            Supplier<Tally> tally) {
        this.output = output;
        this.columns = columns;
        this.nodes = nodes;
        this.servers = servers;
        this.tally = tally;
        write(HIDE_CURSOR);
        var unused = redraws.scheduleWithFixedDelay(this::draw, 0, REDRAW_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void seen(Seen news) {
        event(news.toLine());
    }

    @Override
    public void standing(NodeView before, NodeView now) {
        event(PlainReporter.change(before, now));
    }

    @Override
    public synchronized void event(String what) {
        events.addLast(LocalTime.now(ZoneId.systemDefault())
                        .truncatedTo(ChronoUnit.SECONDS)
                        .format(DateTimeFormatter.ISO_TIME)
                + "  " + what.lines().findFirst().orElse(""));
        if (events.size() > LAST_EVENTS) {
            events.removeFirst();
        }
    }

    @Override
    public synchronized void hint(String command) {
        hints.add("try: " + command);
    }

    private synchronized void draw() {
        if (closed) {
            return;
        }
        List<String> lines = frame(nodes.get(), servers.get(), tally.get(), List.copyOf(events), hints);
        StringBuilder frame = new StringBuilder();
        if (drawn > 0) {
            frame.append("\u001b[").append(drawn).append('A');
        }
        int rows = 0;
        for (String line : lines) {
            String shown = hints.contains(line) ? line : cut(line); // half a command is none
            frame.append('\r').append(CLEAR_LINE).append(shown).append('\n');
            rows += rows(shown, columns);
        }
        write(frame.append(CLEAR_BELOW).toString());
        drawn = rows;
    }

    /** How many lines of the terminal it takes. */
    static int rows(String line, int columns) {
        return Math.max(1, (line.length() + columns - 1) / columns);
    }

    static List<String> frame(
            List<NodeView> nodes, List<String> servers, Tally tally, List<String> events, List<String> hints) {
        List<String> lines = new ArrayList<>(StatusCommand.table(nodes));
        lines.addAll(servers);
        lines.add("");
        lines.addAll(events);
        lines.add("");
        if (!hints.isEmpty()) {
            lines.addAll(hints);
            lines.add("");
        }
        lines.add("so far: " + tally.sentence() + "   Ctrl-C stops all");
        return lines;
    }

    private String cut(String line) {
        return line.length() < columns ? line : line.substring(0, Math.max(0, columns - 1));
    }

    private void write(String text) {
        output.out().print(text);
        output.out().flush();
    }

    @Override
    public synchronized void verdict(Tally tally) {
        close();
        tally.findings().forEach(output::line);
        output.line(tally.verdict());
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            draw();
            closed = true;
            redraws.shutdownNow();
            write(SHOW_CURSOR);
        }
    }
}
