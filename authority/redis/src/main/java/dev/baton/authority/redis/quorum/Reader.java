package dev.baton.authority.redis.quorum;

import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.Sight;
import dev.baton.core.Entry;
import dev.baton.core.Head;
import dev.baton.core.Height;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads committed entries from one node, whichever is furthest.
 *
 * <p>INV-3, INV-4: an entry is trusted if its successor stands above it on the same node, because a leader writes the
 * next one only after the last was committed; the tip alone needs a quorum.
 */
final class Reader {

    private final Roster roster;
    private final Observation observation;

    Reader(Roster roster, Observation observation) {
        this.roster = roster;
        this.observation = observation;
    }

    void read(Height from, PageLimit limit, Consumer<Page> then) {
        if (roster.lastSights().isEmpty() || from.isAbove(observation.head().height())) {
            observation.look(picture -> {
                if (picture.isEmpty()) {
                    then.accept(new Page.Unavailable(roster.troubles()));
                } else {
                    readKnown(from, limit, then);
                }
            });
        } else {
            readKnown(from, limit, then);
        }
    }

    private void readKnown(Height from, PageLimit limit, Consumer<Page> then) {
        Head head = observation.head();
        if (from.isAbove(head.height())) {
            then.accept(new Page.Entries(List.of(), head));
            return;
        }
        if (from.isBelow(observation.oldest())) {
            then.accept(new Page.Trimmed(observation.oldest()));
            return;
        }
        List<Roster.Node> furthestFirst = new ArrayList<>(roster.all());
        furthestFirst.removeIf(node -> node.sight().isEmpty());
        furthestFirst.sort(Comparator.comparing((Roster.Node node) ->
                        node.sight().map(sight -> sight.head().height()).orElse(Height.ZERO))
                .reversed());
        new Search(from, limit, head, new ArrayDeque<>(furthestFirst), then).goOn();
    }

    /** Asks one node after the other until one has everything that is known to be committed. */
    private final class Search {

        private final Height from;
        private final PageLimit limit;
        private final Head head;
        private final Deque<Roster.Node> nodes;
        private final Consumer<Page> then;
        private Optional<Height> trimmed = Optional.empty();

        Search(Height from, PageLimit limit, Head head, Deque<Roster.Node> nodes, Consumer<Page> then) {
            this.from = from;
            this.limit = limit;
            this.head = head;
            this.nodes = nodes;
            this.then = then;
        }

        void goOn() {
            Roster.Node node = nodes.poll();
            if (node == null) {
                then.accept(trimmed.<Page>map(Page.Trimmed::new)
                        .orElseGet(() -> new Page.Unavailable(
                                "no node has the entries from " + from + " to " + head + ": " + roster.troubles())));
                return;
            }
            Optional<Sight> sight = node.sight();
            if (sight.isEmpty()) {
                goOn();
                return;
            }
            node.ask(new Ask.Range(sight.get().member(), from, limit), Link.Lane.BULK, this::heard);
        }

        private void heard(Answer answer) {
            if (!(answer instanceof Answer.Entries(List<Entry> page, Sight sight))) {
                goOn();
                return;
            }
            if (sight.oldest().isAbove(from)) {
                trimmed = Optional.of(sight.oldest());
                goOn();
                return;
            }
            List<Entry> committed = trusted(page, sight);
            if (committed.isEmpty()) {
                goOn(); // this node lags behind
            } else {
                observation.committed(committed.getLast().asHead());
                then.accept(new Page.Entries(committed, observation.head()));
            }
        }

        /** The unbroken beginning of the page that is known to be committed. */
        private List<Entry> trusted(List<Entry> page, Sight sight) {
            List<Entry> trusted = new ArrayList<>();
            for (Entry entry : page) {
                boolean linked = trusted.isEmpty()
                        ? entry.height().equals(from)
                        : entry.follows(trusted.getLast().asHead());
                boolean below = entry.height().isBelow(sight.head().height());
                boolean known = entry.asHead().equals(head);
                if (!linked || !(below || known)) {
                    break;
                }
                trusted.add(entry);
            }
            return trusted;
        }
    }
}
