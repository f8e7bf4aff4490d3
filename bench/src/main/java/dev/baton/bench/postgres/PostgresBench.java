package dev.baton.bench.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Takes the primary away again and again, each time in one of the ways, and measures what writers see of it. */
public final class PostgresBench implements AutoCloseable {

    private static final int WRITERS = 4;
    private static final Duration CALM_PATIENCE = Duration.ofMinutes(4);
    private static final Duration ROUND_PATIENCE = Duration.ofMinutes(2);
    private static final int SIGHTINGS_KEPT = 50;
    private static final int NO_PORT = -1;

    private final Machines machines;
    private final Consumer<String> progress;
    private final List<Writer> writers = new ArrayList<>();
    private final List<Prober> probers = new ArrayList<>();
    private final Sightings sightings = new Sightings();
    private final Map<Change, List<Long>> gapNanos = new EnumMap<>(Change.class);
    private long lost;
    private long twoPrimariesNanos;

    private PostgresBench(Machines machines, Consumer<String> progress) {
        this.machines = machines;
        this.progress = progress;
    }

    /**
     * Measures Baton.
     *
     * @param mode the mode that the servers run in, such as {@code synchronous}
     */
    public static PostgresBench ofBaton(Path folder, String mode, Consumer<String> progress) throws IOException {
        return new PostgresBench(new BatonMachines(folder, mode), progress);
    }

    /** Measures Patroni: with its defaults, or with the shortest times that it takes. */
    public static PostgresBench ofPatroni(Path folder, String mode, boolean fastest, Consumer<String> progress)
            throws IOException {
        return new PostgresBench(
                new PatroniMachines(
                        folder, mode, fastest ? PatroniMachines.Pace.FASTEST : PatroniMachines.Pace.DEFAULTS),
                progress);
    }

    public static boolean isPatroniInstalled() {
        return PatroniMachines.isInstalled();
    }

    /** Every kind of change, so many times; in turns, so that none has the machine's best hour for itself. */
    public void run(List<Change> kinds, int rounds) throws Exception {
        try {
            begin();
            if (machines.warmsUp()) {
                warm();
            }
            for (int round = 1; round <= rounds; round++) {
                for (Change change : kinds) {
                    round(change, round);
                }
            }
        } catch (IllegalStateException e) {
            progress.accept(machines.lastWords());
            throw e;
        }
    }

    /** For how long each writer was without an answer, in each round of this kind. */
    public List<Long> gapNanos(Change change) {
        return gapNanos.getOrDefault(change, List.of());
    }

    public long acknowledgedRows() {
        return writers.stream()
                .mapToLong(writer -> writer.acknowledged().size())
                .sum();
    }

    public long lostRows() {
        return lost;
    }

    public Duration twoPrimaries() {
        return Duration.ofNanos(twoPrimariesNanos);
    }

    private void begin() throws Exception {
        for (String name : Machines.NAMES) {
            machines.start(name);
        }
        String primary = awaitCalm();
        try (Connection connection = connect(primary);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE bench_rows (writer int, row bigint, PRIMARY KEY (writer, row))");
            statement.execute("CREATE TABLE bench_probe AS SELECT 0::bigint AS times");
        }
        List<Integer> ports = Machines.NAMES.stream()
                .map(name -> machines.at(name).postgres())
                .toList();
        for (int i = 1; i <= WRITERS; i++) {
            writers.add(new Writer(i, ports));
        }
        Machines.NAMES.forEach(name -> probers.add(new Prober(machines.at(name), sightings)));
        progress.accept("three machines are up, the primary is on " + primary);
    }

    /** Every node leads once before anything counts: processes that run for days have led before. */
    private void warm() throws Exception {
        for (String next : Machines.NAMES) {
            String primary = awaitCalm();
            if (!primary.equals(next)) {
                long begunNanos = System.nanoTime();
                int left = switchOver(primary, next);
                awaitServed(begunNanos, left);
            }
        }
        progress.accept("every node has led");
    }

    /** Returns the port that writers leave; none if the switchover was refused, which writers may have felt all the same. */
    private int switchOver(String primary, String next) throws IOException, InterruptedException {
        try {
            machines.switchOver(primary, next);
            return machines.at(primary).postgres();
        } catch (IllegalStateException e) {
            progress.accept("no switchover from " + primary + " to " + next + ": " + e.getMessage());
            return NO_PORT;
        }
    }

    private void round(Change change, int round) throws Exception {
        String primary = awaitCalm();
        awaitServed(System.nanoTime(), NO_PORT);
        writers.forEach(Writer::beginRound);
        long begunNanos = System.nanoTime();
        int left = machines.at(primary).postgres();
        switch (change) {
            case KILLED -> machines.kill(primary);
            case UNPLUGGED -> machines.unplug(primary);
            case FROZEN -> machines.freezeServer(primary);
            case SWITCHOVER ->
                left = switchOver(
                        primary,
                        machines.completeStandby(primary)
                                .orElseThrow(() -> new IllegalStateException("nobody is complete")));
        }
        awaitServed(begunNanos, left);
        List<Long> gaps = writers.stream().map(Writer::longestGapNanos).toList();
        gapNanos.computeIfAbsent(change, kind -> new ArrayList<>()).addAll(gaps);
        switch (change) {
            case KILLED -> machines.start(primary);
            case UNPLUGGED -> machines.plugIn();
            case FROZEN -> machines.thawServer(primary); // if nobody has ended it meanwhile
            case SWITCHOVER -> {} // whoever looks after the server brings it back
        }
        String next = awaitCalm();
        account(next);
        progress.accept("%s %d: %s to %s, writers waited for %s ms"
                .formatted(
                        change.word(),
                        round,
                        primary,
                        next,
                        gaps.stream().map(TimeUnit.NANOSECONDS::toMillis).toList()));
    }

    /** What was acknowledged must be there, and only one server may have taken writes at a time. */
    private void account(String primary) throws SQLException {
        long missing = 0;
        try (Connection connection = connect(primary)) {
            for (Writer writer : writers) {
                missing += writer.lost(connection);
            }
        }
        lost = Math.max(lost, missing);
        twoPrimariesNanos = Math.max(twoPrimariesNanos, sightings.twoPrimariesNanos());
        sightings.forgetAllButTheLast(SIGHTINGS_KEPT);
        if (missing > 0 || twoPrimariesNanos > 0) {
            progress.accept("LOST " + missing + " rows; two primaries for " + twoPrimaries());
        }
    }

    private Connection connect(String machine) throws SQLException {
        var properties = Writer.properties("bench");
        properties.setProperty("socketTimeout", "30");
        return DriverManager.getConnection(
                "jdbc:postgresql://" + Places.BEHIND + ":"
                        + machines.at(machine).postgres() + "/postgres",
                properties);
    }

    /** Until every writer was served after that moment by another server than the one that was hurt. */
    private void awaitServed(long sinceNanos, int otherThanPort) throws InterruptedException {
        long giveUpNanos = System.nanoTime() + ROUND_PATIENCE.toNanos();
        while (!writers.stream().allMatch(writer -> writer.wasServedSince(sinceNanos, otherThanPort))) {
            if (System.nanoTime() - giveUpNanos > 0) {
                throw new IllegalStateException("writers were not served within " + ROUND_PATIENCE);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private String awaitCalm() throws InterruptedException {
        long giveUpNanos = System.nanoTime() + CALM_PATIENCE.toNanos();
        while (true) {
            Optional<String> primary = machines.primaryIfCalm();
            if (primary.isPresent()) {
                return primary.get();
            }
            if (System.nanoTime() - giveUpNanos > 0) {
                throw new IllegalStateException(
                        "no primary with two standbys, one of them complete, within " + CALM_PATIENCE);
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (Writer writer : writers) {
            writer.close();
        }
        for (Prober prober : probers) {
            prober.close();
        }
        machines.close();
    }
}
