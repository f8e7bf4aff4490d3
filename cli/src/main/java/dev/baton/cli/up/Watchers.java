package dev.baton.cli.up;

import dev.baton.cli.cluster.ClusterFile.Member;
import dev.baton.cli.cluster.NodeClient;
import dev.baton.cli.cluster.NodeView;
import dev.baton.cli.command.StatusCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** Asks each node how it stands and follows its blocks, from outside, as any client could. */
final class Watchers implements AutoCloseable {

    private static final long ASK_EACH_MILLIS = 250;
    private static final long RECONNECT_MILLIS = 100;
    private static final long LEVEL_EACH_MILLIS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final List<Member> members;
    private final ClusterFolder folder;
    private final ChainObserver observer;
    private final NodeClient client = new NodeClient(PATIENCE);
    private final Map<String, Sighting> sightings = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();

    /** What a node said, and when. */
    private record Sighting(NodeView view, long atNanos) {}

    Watchers(ClusterFolder folder, ChainObserver observer) {
        this.folder = folder;
        this.members = folder.file().nodes();
        this.observer = observer;
    }

    void start(Reporter reporter) {
        for (Member member : members) {
            threads.add(Thread.ofVirtual().start(() -> askOnAndOn(member, reporter)));
            threads.add(Thread.ofVirtual().start(() -> followOnAndOn(member, reporter)));
        }
    }

    private void askOnAndOn(Member member, Reporter reporter) {
        try {
            while (true) {
                NodeView now = NodeView.of(member.node(), client.get(http(member), "/status"));
                Sighting before = sightings.put(member.node(), new Sighting(now, System.nanoTime()));
                NodeView earlier = before == null ? NodeView.down(member.node(), "starting") : before.view();
                if (!earlier.standing().equals(now.standing())) {
                    reporter.standing(earlier, now);
                }
                if (now.isPart()) {
                    folder.begun(member.node());
                }
                Thread.sleep(ASK_EACH_MILLIS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private void followOnAndOn(Member member, Reporter reporter) {
        try {
            observer.follow(member.node(), firstHeight(member));
            while (true) {
                String path = "/blocks/tail?from=" + observer.nextOf(member.node());
                client.follow(http(member), path, block -> {
                    observer.seen(member.node(), SeenBlock.of(block)).ifPresent(reporter::block);
                    return true;
                });
                Thread.sleep(RECONNECT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    /** What the node had before: nothing in a new cluster, else what the last run saw, else what it says when ready. */
    private long firstHeight(Member member) throws InterruptedException {
        if (folder.seenHeight() > 0) {
            return folder.seenHeight();
        }
        while (!folder.isNew()) {
            NodeView view = NodeView.of(member.node(), client.get(http(member), "/status"));
            if (view.ready()) { // before, it answers but does not know its height yet
                return view.height();
            }
            Thread.sleep(RECONNECT_MILLIS);
        }
        return 0;
    }

    private static URI http(Member member) {
        return URI.create("http://127.0.0.1:" + member.ports().http());
    }

    /** How the nodes stood when last asked, ages brought up to now. */
    List<NodeView> views() {
        List<NodeView> views = new ArrayList<>();
        for (Member member : members) {
            Sighting sighting = sightings.get(member.node());
            views.add(sighting == null ? NodeView.down(member.node(), "starting") : aged(sighting));
        }
        return views;
    }

    private static NodeView aged(Sighting sighting) {
        NodeView view = sighting.view();
        if (view.headAgeMillis().isEmpty()) {
            return view;
        }
        long sinceMillis =
                Duration.ofNanos(System.nanoTime() - sighting.atNanos()).toMillis();
        return view.withHeadAge(OptionalLong.of(view.headAgeMillis().getAsLong() + sinceMillis));
    }

    /** The servers that keep the seat, a line for all; none if there are none. */
    List<String> servers() {
        return folder.file().servers().map(StatusCommand::line).stream().toList();
    }

    Optional<String> leader() {
        return views().stream().filter(NodeView::leads).map(NodeView::node).findFirst();
    }

    /** Waits, but not long, until every node that is up has shown all blocks that any has: then all are compared. */
    void awaitLevel(Duration patience) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() - deadlineNanos < 0) {
            boolean level = views().stream().filter(NodeView::isUp).allMatch(view -> observer.isLevel(view.node()));
            if (level) {
                return;
            }
            Thread.sleep(LEVEL_EACH_MILLIS);
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
