package dev.baton.authority.redis.quorum;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Member;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.core.Epoch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The Redis nodes that this process knows of, and what each last said. */
final class Roster {

    private final Network network;
    private final Surroundings surroundings;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private Epoch highest = Epoch.NONE;

    Roster(Network network, Surroundings surroundings, Collection<String> addresses) {
        this.network = network;
        this.surroundings = surroundings;
        addresses.forEach(this::at);
    }

    Node at(String address) {
        return nodes.computeIfAbsent(address, unknown -> new Node(network.link(address)));
    }

    /** All nodes, those named in a node set among them. */
    List<Node> all() {
        voters().forEach(member -> at(member.address()));
        return List.copyOf(nodes.values());
    }

    /** Everybody whose vote may count, as far as any node told. */
    Set<Member> voters() {
        Set<Member> voters = new LinkedHashSet<>();
        for (Node node : nodes.values()) {
            if (node.sight != null) {
                voters.addAll(node.sight.governing().members());
                voters.addAll(node.sight.next().members());
            }
        }
        return voters;
    }

    List<Sight> lastSights() {
        List<Sight> sights = new ArrayList<>();
        for (Node node : nodes.values()) {
            if (node.sight != null) {
                sights.add(node.sight);
            }
        }
        return sights;
    }

    /** The highest epoch that any node has ever told of. */
    Epoch highest() {
        return highest;
    }

    void heardOf(Epoch epoch) {
        highest = epoch.isAbove(highest) ? epoch : highest;
    }

    /** What stands in the way, for people to read. */
    String troubles() {
        List<String> troubles = new ArrayList<>();
        for (Node node : nodes.values()) {
            node.trouble.ifPresent(
                    why -> troubles.add(why.startsWith(node.address()) ? why : node.address() + ": " + why));
        }
        if (troubles.isEmpty()) {
            return "no quorum of Redis nodes answers";
        }
        String all = String.join("; ", troubles);
        return isForgotten()
                ? all + " (so few remember the seat that nobody may guess: baton init founds a new one, baton recover"
                        + " restores one from the nodes' own stores)"
                : all;
    }

    /** Whether so many nodes have lost their memory that only an operator can say how to go on. */
    private boolean isForgotten() {
        return 2 * nodes.values().stream().filter(node -> node.blank).count() >= nodes.size();
    }

    /** One Redis node. */
    final class Node {

        private final Link link;
        private @Nullable Sight sight;
        private Optional<MemberId> stray = Optional.empty();
        private Optional<String> trouble = Optional.of("not asked yet");
        private boolean blank;
        private boolean silent;
        private boolean recognised;

        private Node(Link link) {
            this.link = link;
        }

        String address() {
            return link.address();
        }

        Link link() {
            return link;
        }

        Optional<Sight> sight() {
            return Optional.ofNullable(sight);
        }

        /** Whether it has no memory that anybody may rely on. */
        boolean isBlank() {
            return blank;
        }

        /** Whether it did not answer when it was last asked. */
        boolean isSilent() {
            return silent;
        }

        Optional<String> trouble() {
            return trouble;
        }

        /** The member that it is, if it is one that was not meant. */
        Optional<MemberId> stray() {
            return stray;
        }

        /** It has a new connection, so perhaps a new process: it must say again who it is. */
        void forgetRecognition() {
            recognised = false;
        }

        /** The question that tells most: who it is, or what it sees. */
        Ask introduction() {
            return recognised && sight != null ? new Ask.Peek(sight.member()) : new Ask.Recognise(link.fsync());
        }

        void ask(Ask ask, Link.Lane lane, Consumer<Answer> then) {
            link.ask(ask, lane)
                    .whenComplete((answer, defect) -> surroundings.run(() -> {
                        Answer heard = defect == null ? answer : new Answer.Lost("the link broke: " + defect);
                        take(heard);
                        then.accept(heard);
                    }));
        }

        /** Asks who it is, so that it counts again. */
        void introduce() {
            ask(introduction(), Link.Lane.EXPRESS, ignored -> {});
        }

        private void take(Answer answer) {
            switch (answer) {
                case Answer.Seen(Sight seen) -> saw(seen);
                case Answer.Entries(List<?> ignored, Sight seen) -> saw(seen);
                case Answer.Granted granted -> saw(granted.before());
                case Answer.Held held -> heardOf(held.promised());
                case Answer.Stale(Epoch promised) -> heardOf(promised);
                case Answer.Fenced(Epoch by) -> heardOf(by);
                case Answer.Blank(String why) -> lost(why, true);
                case Answer.Other(MemberId actual) -> {
                    lost("it is member " + actual + ", not the one that was meant", false);
                    stray = Optional.of(actual);
                }
                case Answer.Broken(String why) -> lost(why, false);
                case Answer.Lost(String why) -> unreachable(why);
                case Answer.Unsent(String why) -> unreachable(why);
                case Answer.Elsewhere ignored -> {}
                case Answer.Accepted ignored -> {}
                case Answer.Ahead ignored -> {}
                case Answer.Behind ignored -> {}
                case Answer.Done ignored -> {}
                case Answer.Trimmed ignored -> {}
            }
        }

        private void saw(Sight seen) {
            sight = seen;
            recognised = true;
            blank = false;
            silent = false;
            stray = Optional.empty();
            trouble = Optional.empty();
            heardOf(seen.promised());
        }

        private void lost(String why, boolean nothingLeft) {
            sight = null;
            recognised = false;
            blank = nothingLeft;
            silent = false;
            stray = Optional.empty();
            trouble = Optional.of(why);
        }

        /** What it said before stays true as far as it went. */
        private void unreachable(String why) {
            recognised = false;
            silent = true;
            trouble = Optional.of(why);
        }
    }
}
