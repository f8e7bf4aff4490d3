package dev.baton.authority.redis.quorum;

import dev.baton.authority.redis.protocol.Acceptor;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Fsync;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.core.SeatId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** A few nodes without Redis: the pure acceptors, each with a thread of its own. */
final class AcceptorNodes implements AutoCloseable {

    private final Map<String, Node> nodes = new LinkedHashMap<>();

    AcceptorNodes(int count) {
        IntStream.rangeClosed(1, count).forEach(i -> nodes.put("r" + i + ":1", new Node("r" + i + ":1")));
    }

    List<String> addresses() {
        return List.copyOf(nodes.keySet());
    }

    Node node(int number) {
        return List.copyOf(nodes.values()).get(number - 1);
    }

    /** Adds one that knows nothing; its address. */
    String add() {
        String address = "r" + (nodes.size() + 1) + ":1";
        nodes.put(address, new Node(address));
        return address;
    }

    /** Founds the seat on these nodes, unless it is there. */
    void found(SeatId seat) {
        List<Member> members = nodes.values().stream()
                .map(node -> new Member(MemberId.random(RandomGenerator.getDefault()), node.address))
                .toList();
        MemberSet set = new MemberSet(members);
        for (Member member : members) {
            Node node = nodes.get(member.address());
            if (node != null) {
                node.take(
                        seat,
                        new Ask.Admit(
                                member.id(),
                                Optional.empty(),
                                node.fsync,
                                node.runId(),
                                Optional.empty(),
                                set,
                                Optional.empty()));
            }
        }
    }

    Network networkFor(SeatId seat) {
        return new Network() {
            @Override
            public Link link(String address) {
                return linkTo(address, seat);
            }

            @Override
            public void listen(Consumer<News> listener) {
                nodes.values().forEach(node -> node.listeners.add(listener));
            }
        };
    }

    private Link linkTo(String address, SeatId seat) {
        Node node = nodes.get(address);
        if (node == null) {
            throw new IllegalArgumentException("no node at " + address);
        }
        return new Link() {
            @Override
            public String address() {
                return address;
            }

            @Override
            public CompletionStage<Answer> ask(Ask ask, Lane lane) {
                CompletableFuture<Answer> answer = new CompletableFuture<>();
                node.thread.execute(() -> answer.complete(node.up ? node.take(seat, ask) : new Answer.Lost("down")));
                return answer;
            }

            @Override
            public Fsync fsync() {
                return node.fsync;
            }

            @Override
            public String runId() {
                return node.runId();
            }
        };
    }

    @Override
    public void close() {
        nodes.values().forEach(node -> node.thread.shutdownNow());
    }

    /** One node, with a state per seat. */
    static final class Node {
        private final String address;
        private final Map<SeatId, Acceptor> seats = new LinkedHashMap<>();
        private final List<Consumer<Network.News>> listeners = new ArrayList<>();
        private final ExecutorService thread = Executors.newSingleThreadExecutor(
                task -> Thread.ofPlatform().daemon().unstarted(task));
        private volatile boolean up = true;
        private volatile Fsync fsync = Fsync.ALWAYS;
        private int runs = 1;

        private Node(String address) {
            this.address = address;
        }

        synchronized Answer take(SeatId seat, Ask ask) {
            return seats.computeIfAbsent(seat, unknown -> new Acceptor())
                    .take(ask, System.currentTimeMillis(), runId());
        }

        synchronized String runId() {
            return "run" + runs;
        }

        void down() {
            up = false;
        }

        synchronized void restart() {
            runs++;
            up = true;
            List.copyOf(listeners)
                    .forEach(listener -> listener.accept(new Network.News(address, Network.News.Kind.CONNECTED)));
        }

        /** From now on a restart is not to be trusted. */
        void writeLater() {
            fsync = Fsync.LATER;
        }

        synchronized void lose() {
            seats.clear();
        }
    }
}
