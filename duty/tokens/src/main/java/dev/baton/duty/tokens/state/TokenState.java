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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the ledger says about tokens.
 *
 * <p>INV-12: tokens are covered here, in order, and nothing else ever hands one out. Each decision of a batch is checked
 * against what is known before it is taken in; one that does not fit throws, and the state must then not be used any
 * more. Not thread-safe.
 */
public final class TokenState {

    /**
     * Where the state stands towards terms; see {@link #opened}.
     *
     * @param last the last term that opened
     * @param settled the last term that settled
     * @param revision what replies carry; rises when a term settles
     * @param settledLeased whether the term that settled last has covered leased tokens
     * @param address where the holder of the last term serves tokens
     */
    record Terms(Epoch last, Epoch settled, long revision, boolean settledLeased, String address) {

        Terms settle() {
            return new Terms(last, last, Math.max(Math.addExact(revision, 1), last.value()), false, address);
        }

        Terms leased() {
            return new Terms(last, settled, revision, true, address);
        }

        Terms servedAt(String newAddress) {
            return new Terms(last, settled, revision, settledLeased, newAddress);
        }
    }

    private final List<Namespace> namespaces = new ArrayList<>();
    private final Map<String, Namespace> byName = new HashMap<>();
    /** The same by name, so that a few of very many can be shown without going through all of them. */
    private final NavigableMap<String, Namespace> inOrder = new TreeMap<>();

    private final Map<String, Integer> sharded = new HashMap<>();
    private final RequestWindow window = new RequestWindow();
    private Terms terms = new Terms(Epoch.NONE, Epoch.NONE, 0, false, "");
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
        return terms.revision();
    }

    /** Whether nobody but the holder of the last term can be handing out leased tokens. */
    public boolean isSettled() {
        return terms.settled().equals(terms.last());
    }

    public List<NamespaceView> views(String prefix) {
        return views(prefix, Integer.MAX_VALUE);
    }

    /** The first so many whose names begin so, by name: costs as much as there are in the answer. */
    public List<NamespaceView> views(String prefix, int limit) {
        return inOrder.tailMap(prefix, true).values().stream()
                .takeWhile(each -> each.shape().name().startsWith(prefix))
                .limit(limit)
                .map(Namespace::view)
                .toList();
    }

    public NamespaceView view(int id) {
        return namespace(id).view();
    }

    public Optional<NamespaceView> view(String name) {
        return Optional.ofNullable(byName.get(name)).map(Namespace::view);
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
     * A term begins. It settles, which raises the revision and lets it hand out leased tokens, only when no earlier
     * holder can be handing out leased tokens: one that was replaced without knowing it would otherwise answer with a
     * lower revision, or a lower token, than callers have seen.
     *
     * <p>Only a settled holder hands out leased tokens, so at most the last settled one still may. It does not if it never
     * covered any, or gave the seat away itself. Otherwise this term settles later, when its holder's clock says so.
     */
    private void opened(Fact.Opened opened) {
        Epoch epoch = opened.seating().term().epoch();
        boolean nobodyElse =
                !terms.settledLeased() || (isSettled() && gaveItAway(terms.last(), opened.predecessorEnded(), epoch));
        Terms begun = new Terms(epoch, terms.settled(), terms.revision(), terms.settledLeased(), "");
        terms = nobodyElse ? begun.settle() : begun;
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
            terms = terms.servedAt(opening.address());
            window.resize(opening.window());
        }
        if (batch.settles()) {
            if (isSettled()) {
                throw broken("to settle again", "once a term");
            }
            terms = terms.settle();
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
        inOrder.put(made.shape().name(), made);
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
            namespace.cover(covered, 0, epoch, terms.revision(), height);
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
        namespace.cover(lease.count(), lease.unhanded() + lease.count(), epoch, terms.revision(), height);
        terms = terms.leased();
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
