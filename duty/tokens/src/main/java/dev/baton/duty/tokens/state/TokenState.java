package dev.baton.duty.tokens.state;

import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.Epoch;
import dev.baton.core.Fact;
import dev.baton.core.Height;
import dev.baton.duty.BrokenInvariantException;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.NamespaceHistory;
import dev.baton.duty.tokens.NamespaceView;
import dev.baton.duty.tokens.RequestId;
import dev.baton.duty.tokens.TokenSettings.Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the ledger says about tokens.
 *
 * <p>INV-12: tokens are covered here, in order, and nothing else ever hands one out. Each decision of a batch is checked
 * against what is known before it is taken in; one that does not fit throws, and the state must then not be used any
 * more. Not thread-safe.
 */
public final class TokenState {

    /** Where the state stands towards terms; see {@link #opened}. */
    record Terms(Epoch last, long ofTerm, long carried, Epoch lastLeased, String address) {}

    private final List<Namespace> namespaces = new ArrayList<>();
    private final Map<String, Namespace> byName = new HashMap<>();
    private final Map<String, Integer> sharded = new HashMap<>();
    private final RequestWindow window = new RequestWindow();
    private Terms terms = new Terms(Epoch.NONE, 0, 0, Epoch.NONE, "");
    private @Nullable Region region;

    // What it knows

    @Nullable
    Namespace find(String name) {
        return byName.get(name);
    }

    Namespace namespace(int id) {
        if (id >= namespaces.size()) {
            throw broken("namespace number " + id, "less than " + namespaces.size());
        }
        return namespaces.get(id);
    }

    /** The shape of the namespace with this number. */
    public Shape shape(int id) {
        return namespace(id).shape();
    }

    public int namespaceCount() {
        return namespaces.size();
    }

    /** Into how many shards this name was divided; 0 if it was not. */
    int shardsOf(String name) {
        return sharded.getOrDefault(name, 0);
    }

    RequestWindow window() {
        return window;
    }

    Terms terms() {
        return terms;
    }

    /** The region whose tokens these are; absent while there is no namespace. */
    public Optional<Region> region() {
        return Optional.ofNullable(region);
    }

    /** The last term that committed anything. */
    public Epoch lastTerm() {
        return terms.last();
    }

    /** Where the holder of {@link #lastTerm()} serves tokens; may be empty. */
    public String address() {
        return terms.address();
    }

    /** What replies carry now. */
    public long revision() {
        return terms.carried();
    }

    /** Whether nobody but the holder of the last term can be handing out leased tokens. */
    public boolean isSettled() {
        return terms.carried() == terms.ofTerm();
    }

    public List<NamespaceView> views(String prefix) {
        return namespaces.stream()
                .filter(each -> each.shape().name().startsWith(prefix))
                .sorted(Comparator.comparing(each -> each.shape().name()))
                .map(Namespace::view)
                .toList();
    }

    public NamespaceView view(int id) {
        return namespace(id).view();
    }

    public Optional<NamespaceHistory> history(String name) {
        return Optional.ofNullable(byName.get(name)).map(Namespace::history);
    }

    // What the ledger tells it

    /** Takes in an entry. */
    public void apply(Entry entry) {
        Batch batch;
        try {
            batch = BatchCodec.decode(entry.payload());
        } catch (IllegalArgumentException e) {
            throw new BrokenInvariantException("height " + entry.height() + ": " + e.getMessage());
        }
        for (Fact fact : entry.facts()) {
            if (fact instanceof Fact.Opened opened) {
                opened(opened);
            }
        }
        apply(batch, entry.author(), entry.height());
    }

    /**
     * A term begins. Its revision is higher than any before, but replies carry it only when no earlier holder can be
     * handing out leased tokens: one that has been replaced without knowing it would otherwise answer with a lower
     * revision than callers have seen.
     *
     * <p>Only a settled holder hands out leased tokens. So at most the last settled one still may, and it does not if it
     * never had a leased range, or gave the seat away itself.
     */
    private void opened(Fact.Opened opened) {
        Epoch epoch = opened.seating().term().epoch();
        boolean nobodyElse = isSettled()
                && (!terms.last().equals(terms.lastLeased())
                        || terms.last().equals(Epoch.NONE)
                        || gaveItAway(terms.last(), opened.predecessorEnded(), epoch));
        long revision = Math.max(Math.addExact(terms.ofTerm(), 1), epoch.value());
        terms = new Terms(epoch, revision, nobodyElse ? revision : terms.carried(), terms.lastLeased(), "");
    }

    /**
     * Whether the ending is that of this very term. A ticket is good only for the term that issued it. But between a
     * lapsed term and this one, somebody may have been elected and resigned without leaving an entry.
     */
    private static boolean gaveItAway(Epoch before, Ending ended, Epoch now) {
        return ended == Ending.HANDED_OFF || (ended == Ending.RESIGNED && now.value() == before.value() + 1);
    }

    private void apply(Batch batch, Epoch epoch, Height height) {
        Batch.Opening opening = batch.opening();
        if (opening != null) {
            terms = new Terms(terms.last(), terms.ofTerm(), terms.carried(), terms.lastLeased(), opening.address());
            window.resize(opening.window());
        }
        if (batch.settles()) {
            terms = new Terms(terms.last(), terms.ofTerm(), terms.ofTerm(), terms.lastLeased(), terms.address());
        }
        if (batch.region() != null) {
            if (region != null && !region.equals(batch.region())) {
                throw broken("a second region " + batch.region(), region.toString());
            }
            region = batch.region();
        }
        batch.creations().forEach(creation -> create(creation, height));
        batch.freezes().forEach(freeze -> namespace(freeze.namespace()).freeze(freeze.frozen()));
        batch.runs().forEach(run -> reserve(run, batch.clients(), epoch, height));
        batch.leases().forEach(lease -> reserve(lease, epoch, height));
        window.shrink();
    }

    private void create(Batch.Creation creation, Height height) {
        String name = creation.name();
        if (region == null || !Spelling.isName(name) || byName.containsKey(name) || sharded.containsKey(name)) {
            throw broken("a namespace " + name, "a proper new name, and a region");
        }
        Shape shape;
        try {
            shape = new Shape(
                    namespaces.size(),
                    name,
                    creation.guarantee(),
                    creation.start(),
                    creation.step(),
                    creation.ceiling(),
                    creation.maxCount(),
                    height,
                    creation.shards());
        } catch (IllegalArgumentException e) {
            throw new BrokenInvariantException(name + ": " + e.getMessage());
        }
        add(new Namespace(shape));
    }

    void add(Namespace made) {
        namespaces.add(made);
        byName.put(made.shape().name(), made);
        if (made.shape().shards() > 0) {
            sharded.put(Creating.baseOf(made.shape().name()), made.shape().shards());
        }
    }

    private void reserve(Run run, List<String> clients, Epoch epoch, Height height) {
        Namespace namespace = namespace(run.namespace());
        Shape shape = namespace.shape();
        if (shape.guarantee() != Guarantee.STRICT || namespace.isFrozen()) {
            throw broken("a reservation in " + shape.name(), "a strict namespace that is not frozen");
        }
        requireNext(namespace, run.firstToken());
        long covered = 0;
        for (int i = 0; i < run.size(); i++) {
            long count = run.count(i);
            if (count < 1 || count > shape.maxCount() || count > namespace.left() - covered) {
                throw broken(
                        count + " tokens of " + shape.name(),
                        "1 to " + Math.min(shape.maxCount(), namespace.left() - covered));
            }
            if (run.client(i) != Run.NOBODY) {
                RequestId id = new RequestId(clients.get(run.client(i)), run.sequence(i));
                remember(
                        id,
                        new RequestWindow.Remembered(shape.id(), namespace.reserved() + covered, count, epoch, height));
            }
            covered += count;
        }
        if (covered > 0) {
            namespace.cover(covered, 0, epoch, terms.ofTerm(), height);
        }
    }

    /** INV-14: one id, one range. */
    private void remember(RequestId id, RequestWindow.Remembered request) {
        if (id.sequence() < 1 || id.sequence() <= window.forgottenOf(id.client()) || !window.add(id, request)) {
            throw broken("request " + id.sequence() + " of " + id.client() + " again", "each request once");
        }
    }

    private void reserve(Batch.Lease lease, Epoch epoch, Height height) {
        Namespace namespace = namespace(lease.namespace());
        Shape shape = namespace.shape();
        if (shape.guarantee() != Guarantee.LEASED || !isSettled()) {
            throw broken("a range of " + shape.name() + " ahead", "a leased namespace, in a term that has settled");
        }
        requireNext(namespace, lease.firstToken());
        if (lease.count() < 1 || lease.count() > namespace.left() || lease.unhanded() > namespace.reserved()) {
            throw broken(
                    lease.count() + " tokens of " + shape.name() + " ahead, with " + lease.unhanded() + " left",
                    "1 to " + namespace.left() + ", with up to " + namespace.reserved() + " left");
        }
        namespace.cover(lease.count(), lease.unhanded() + lease.count(), epoch, terms.ofTerm(), height);
        terms = new Terms(terms.last(), terms.ofTerm(), terms.carried(), epoch, terms.address());
    }

    private static void requireNext(Namespace namespace, long firstToken) {
        if (namespace.left() == 0 || firstToken != namespace.shape().token(namespace.reserved())) {
            throw broken(
                    "token " + firstToken + " of " + namespace.shape().name(),
                    namespace.left() == 0
                            ? "none, it is exhausted"
                            : Long.toString(namespace.shape().token(namespace.reserved())));
        }
    }

    private static BrokenInvariantException broken(String what, String expected) {
        return new BrokenInvariantException("the ledger reserves " + what + " (expected: " + expected + ")");
    }

    // What a checkpoint tells it

    void restore(Terms restored, @Nullable Region ofRegion) {
        terms = restored;
        region = ofRegion;
    }
}
