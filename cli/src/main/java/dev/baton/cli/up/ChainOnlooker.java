package dev.baton.cli.up;

import dev.baton.cli.cluster.ClusterFile.Member;
import dev.baton.cli.cluster.NodeClient;
import dev.baton.cli.cluster.NodeView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Follows the blocks of every node, and holds them against each other. */
final class ChainOnlooker implements Onlooker {

    private static final long RECONNECT_MILLIS = 100;
    private static final long LEVEL_EACH_MILLIS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ClusterFolder folder;
    private final List<Member> members;
    private final ChainObserver observer = new ChainObserver();
    private final NodeClient client = new NodeClient(PATIENCE);
    private final List<Thread> threads = new ArrayList<>();

    ChainOnlooker(ClusterFolder folder) {
        this.folder = folder;
        this.members = folder.file().nodes();
    }

    @Override
    public void start(Reporter reporter) {
        for (Member member : members) {
            threads.add(Thread.ofVirtual().start(() -> followOnAndOn(member, reporter)));
        }
    }

    private void followOnAndOn(Member member, Reporter reporter) {
        try {
            observer.follow(member.node(), firstHeight(member));
            while (true) {
                String path = "/blocks/tail?from=" + observer.nextOf(member.node());
                client.follow(Watchers.http(member), path, block -> {
                    observer.seen(member.node(), SeenBlock.of(block)).ifPresent(reporter::seen);
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
            NodeView view = NodeView.of(member.node(), client.get(Watchers.http(member), "/status"));
            if (view.ready()) { // before, it answers but does not know its height yet
                return view.height();
            }
            Thread.sleep(RECONNECT_MILLIS);
        }
        return 0;
    }

    @Override
    public ChainObserver.Blocks tally() {
        return observer.tally();
    }

    /** The highest block that was seen. */
    long top() {
        return observer.top();
    }

    @Override
    public void conclude(Predicate<String> isUp, Duration patience) throws InterruptedException {
        observer.freeze();
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() - deadlineNanos < 0) {
            if (members.stream().map(Member::node).filter(isUp).allMatch(observer::isLevel)) {
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
