package dev.baton.duty.tokens.state;

import dev.baton.core.Era;
import dev.baton.core.Height;
import dev.baton.duty.tokens.Ask;
import dev.baton.duty.tokens.Guarantee;
import dev.baton.duty.tokens.NamespaceSpec;
import dev.baton.duty.tokens.Refusal;
import dev.baton.duty.tokens.RequestId;
import dev.baton.duty.tokens.TokenSettings;
import dev.baton.duty.tokens.TokenSettings.Region;
import dev.baton.duty.tokens.state.Decision.Refused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides one request after the other, each against the committed state plus what was decided before it.
 *
 * <p>It never writes to the state: a draft that is not committed leaves no trace. Create and freeze first, then decide
 * requests, since that is the order in which the batch takes effect.
 */
public final class Drafting {

    /**
     * As many bytes as an engine takes with ease, and half of what any of them takes at all: the other half is for a part of a
     * checkpoint, and for what is taken into a batch that is all but full.
     */
    static final int FULL_BYTES = 512 << 10;

    /** What the largest wish to create or freeze takes. So many shards there are at most, with names of that length. */
    static final int MOST_CHANGE_BYTES = Creating.MOST_SHARDS * creationBytes(Spelling.LONGEST_NAME);

    private static final int NUMBER_BYTES = 9;
    private static final int ID_BYTES = 5;
    private static final int LEASE_BYTES = ID_BYTES + 3 * NUMBER_BYTES;
    private static final int RUN_BYTES = ID_BYTES + NUMBER_BYTES + 3;

    /** A namespace as it would be after what was decided so far. */
    private static final class Prospect {
        final Shape shape;
        long reserved;
        boolean frozen;

        @Nullable
        Run run;

        Prospect(Shape shape, long reserved, boolean frozen) {
            this.shape = shape;
            this.reserved = reserved;
            this.frozen = frozen;
        }

        long left() {
            return shape.capacity() - reserved;
        }
    }

    private final TokenState state;
    private final TokenSettings settings;
    private final Era era;
    private final Region region;
    private final Map<String, Prospect> prospects = new HashMap<>();
    private final Map<String, Integer> newlySharded = new HashMap<>();
    private final Map<RequestId, Decision.Reserved> ids = new HashMap<>();
    private final Map<String, Integer> clients = new LinkedHashMap<>();
    private final List<Batch.Creation> creations = new ArrayList<>();
    private final List<Batch.Freeze> freezes = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final List<Batch.Lease> leases = new ArrayList<>();
    private int bytes;

    /**
     * @param era of the seat; in a later one than the first, nobody here knows which tokens were handed out before
     */
    public Drafting(TokenState state, TokenSettings settings, Era era) {
        this.state = state;
        this.settings = settings;
        this.era = era;
        this.region = state.region().or(settings::region).orElse(new Region(0, 1));
    }

    private static int creationBytes(int nameLength) {
        return 2 + nameLength + 1 + 4 * 9 + 2;
    }

    /** Whether the batch should take no more. */
    public boolean isFull() {
        return bytes >= FULL_BYTES;
    }

    /**
     * Whether it has room for a wish to create or freeze, however large, or for a range that nobody waits for. Neither takes
     * the last part of a batch, which is for those who wait for tokens.
     */
    public boolean hasRoomForMore() {
        return bytes < FULL_BYTES - MOST_CHANGE_BYTES;
    }

    /** What was decided so far, as a batch. */
    public Batch batch(Batch.@Nullable Opening opening, boolean settles) {
        return new Batch(
                opening,
                settles,
                creations.isEmpty() || state.region().isPresent() ? null : region,
                creations,
                freezes,
                List.copyOf(clients.keySet()),
                runs,
                leases);
    }

    // Namespaces

    /** What came of a wish to create or freeze: the numbers of the namespaces that it is about, or why not. */
    public sealed interface Change {
        record Made(List<Integer> namespaces) implements Change {
            public Made {
                namespaces = List.copyOf(namespaces);
            }
        }

        record No(Refused why) implements Change {}
    }

    public Change create(NamespaceSpec wanted) {
        List<Batch.Creation> made;
        try {
            made = Creating.of(wanted, region, settings.maxCount());
        } catch (IllegalArgumentException e) {
            return no(Refusal.INVALID, String.valueOf(e.getMessage()));
        }
        Optional<List<Prospect>> existing = prospectsOf(wanted.name());
        if (existing.isPresent()) {
            List<Prospect> there = existing.get();
            return Creating.fits(wanted, there.getFirst().shape)
                    ? new Change.Made(
                            there.stream().map(each -> each.shape.id()).toList())
                    : no(
                            Refusal.EXISTS,
                            wanted.name() + " exists (expected: to be asked for as it is: " + there.getFirst().shape
                                    + ")");
        }
        if (isLaterEra() && wanted.start().isEmpty()) {
            return no(
                    Refusal.INVALID,
                    "start: none (expected: a start above every token of " + wanted.name()
                            + " that was handed out in an era before, since this is era " + era + ")");
        }
        Optional<Refused> inTheWay = underShards(wanted.name());
        if (inTheWay.isPresent()) {
            return new Change.No(new Refused(Refusal.INVALID, inTheWay.get().message()));
        }
        if (wanted.shards().isPresent() && isParent(wanted.name())) {
            return no(
                    Refusal.EXISTS,
                    "there are namespaces below " + wanted.name() + "/ (expected: none, since shards go there)");
        }
        if (made.size() > settings.maxNamespaces() - namespaceCount()) {
            return no(
                    Refusal.TOO_MANY_NAMESPACES,
                    namespaceCount() + " namespaces and " + made.size() + " more (expected: " + settings.maxNamespaces()
                            + " in all)");
        }
        return new Change.Made(
                made.stream().map(each -> make(each, unmade(each)).shape.id()).toList());
    }

    public Change freeze(String name, boolean frozen) {
        Optional<List<Prospect>> there = prospectsOf(name);
        if (there.isEmpty()) {
            return no(Refusal.NO_NAMESPACE, "no namespace " + name);
        }
        for (Prospect each : there.get()) {
            if (each.frozen != frozen) {
                each.frozen = frozen;
                freezes.add(new Batch.Freeze(each.shape.id(), frozen));
                bytes += ID_BYTES + 1;
            }
        }
        return new Change.Made(there.get().stream().map(each -> each.shape.id()).toList());
    }

    /** INV-12: its ledger begins anew, so a namespace must begin where somebody says, and never at 1 by itself. */
    private boolean isLaterEra() {
        return !era.equals(Era.FIRST);
    }

    private static Change no(Refusal reason, String message) {
        return new Change.No(new Refused(reason, message));
    }

    private int namespaceCount() {
        return state.namespaceCount() + creations.size();
    }

    /** The next namespace as it would be; nobody sees it before it is made. */
    private Prospect unmade(Batch.Creation creation) {
        Shape shape = new Shape(
                namespaceCount(),
                creation.name(),
                creation.guarantee(),
                creation.start(),
                creation.step(),
                creation.ceiling(),
                creation.maxCount(),
                Height.ZERO,
                creation.shards());
        return new Prospect(shape, 0, false);
    }

    private Prospect make(Batch.Creation creation, Prospect made) {
        creations.add(creation);
        bytes += creationBytes(creation.name().length());
        if (creation.shards() > 0) {
            newlySharded.put(Creating.baseOf(creation.name()), creation.shards());
        }
        prospects.put(creation.name(), made);
        return made;
    }

    private int shardsOf(String name) {
        Integer now = newlySharded.get(name);
        return now == null ? state.shardsOf(name) : now;
    }

    /** The namespace of this name, or its shards. */
    private Optional<List<Prospect>> prospectsOf(String name) {
        int shards = shardsOf(name);
        if (shards == 0) {
            return Optional.ofNullable(prospect(name)).map(List::of);
        }
        List<Prospect> all = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            Prospect shard = prospect(Creating.shardName(name, i));
            if (shard != null) {
                all.add(shard);
            }
        }
        return Optional.of(all);
    }

    private @Nullable Prospect prospect(String name) {
        Prospect known = prospects.get(name);
        if (known != null) {
            return known;
        }
        Namespace committed = state.find(name);
        if (committed == null) {
            return null;
        }
        Prospect fresh = new Prospect(committed.shape(), committed.reserved(), committed.isFrozen());
        prospects.put(name, fresh);
        return fresh;
    }

    /** A name that looks like a shard but is none would hand out tokens that shards hand out too. */
    private Optional<Refused> underShards(String name) {
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            String base = name.substring(0, slash);
            if (shardsOf(base) > 0) {
                return Optional.of(new Refused(
                        Refusal.NO_NAMESPACE,
                        name + " is no shard of " + base + " (expected: " + Creating.shardName(base, 0) + " to "
                                + Creating.shardName(base, shardsOf(base) - 1) + ")"));
            }
        }
        return Optional.empty();
    }

    private boolean isParent(String name) {
        String below = name + "/";
        return creations.stream().anyMatch(each -> each.name().startsWith(below))
                || !state.views(below).isEmpty();
    }

    // Tokens

    /** Decides a request that is spelt well. */
    public Decision decide(Ask ask) {
        @Nullable RequestId id = ask.id().orElse(null);
        Prospect prospect = prospect(ask.namespace());
        // What is leased is remembered by the desk alone: no entry tells of it, so none may be asked about it either.
        boolean leased = prospect != null && prospect.shape.guarantee() == Guarantee.LEASED;
        if (id != null && !leased) {
            Decision before = answeredBefore(ask, id);
            if (before != null) {
                return before;
            }
        }
        if (prospect == null) {
            Refused missing = refusalOfMissing(ask.namespace());
            if (missing != null) {
                return missing;
            }
            Batch.Creation creation = Creating.onFirstUse(ask.namespace(), region, settings.maxCount());
            Prospect wouldBe = unmade(creation);
            Refused refused = refusal(ask, wouldBe);
            if (refused != null) { // nothing comes of it, so nothing is made for it
                return refused;
            }
            make(creation, wouldBe);
            return reserve(ask, id, wouldBe);
        }
        Refused refused = refusal(ask, prospect);
        if (refused != null) {
            return refused;
        }
        return prospect.shape.guarantee() == Guarantee.LEASED
                ? new Decision.FromLease(prospect.shape)
                : reserve(ask, id, prospect);
    }

    private @Nullable Decision answeredBefore(Ask ask, RequestId id) {
        Decision.Reserved here = ids.get(id);
        if (here != null) {
            return here.shape().name().equals(ask.namespace()) && here.count() == ask.count()
                    ? new Decision.Reserved(here.shape(), here.firstIndex(), here.count(), true)
                    : foreign(id);
        }
        RequestWindow.Remembered remembered = state.window().find(id);
        if (remembered != null) {
            Shape shape = state.shape(remembered.namespace());
            return shape.name().equals(ask.namespace()) && remembered.count() == ask.count()
                    ? new Decision.Known(
                            shape, remembered.firstIndex(), remembered.count(), remembered.epoch(), remembered.height())
                    : foreign(id);
        }
        long forgotten = state.window().forgottenOf(id.client());
        return id.sequence() > forgotten
                ? null
                : new Refused(
                        Refusal.FORGOTTEN,
                        "sequence: " + id.sequence() + " of " + id.client() + " (expected: more than " + forgotten
                                + ", since older requests are not remembered)");
    }

    private static Refused foreign(RequestId id) {
        return new Refused(
                Refusal.FOREIGN_ID,
                "sequence: " + id.sequence() + " of " + id.client()
                        + " was another request (expected: the same namespace and count, or a new number)");
    }

    private @Nullable Refused refusalOfMissing(String name) {
        int shards = shardsOf(name);
        if (shards > 0) {
            return new Refused(
                    Refusal.SHARDED,
                    name + " is sharded (expected: one of " + Creating.shardName(name, 0) + " to "
                            + Creating.shardName(name, shards - 1) + ")");
        }
        Optional<Refused> none = underShards(name);
        if (none.isPresent()) {
            return none.get();
        }
        if (!settings.createOnFirstUse()) {
            return new Refused(Refusal.NO_NAMESPACE, "no namespace " + name + " (expected: to be created first)");
        }
        if (isLaterEra()) {
            return new Refused(
                    Refusal.NO_NAMESPACE,
                    "no namespace " + name
                            + " (expected: to be created first, with a start above every token of it that"
                            + " was handed out in an era before, since this is era " + era + ")");
        }
        return namespaceCount() < settings.maxNamespaces()
                ? null
                : new Refused(
                        Refusal.TOO_MANY_NAMESPACES,
                        "no namespace " + name + ", and there are " + namespaceCount() + " (expected: fewer than "
                                + settings.maxNamespaces() + " to make another)");
    }

    /** Why a namespace does not give so many tokens; of a leased one the desk knows how many are left. */
    private static @Nullable Refused refusal(Ask ask, Prospect prospect) {
        Shape shape = prospect.shape;
        if (prospect.frozen) {
            return shape.frozen();
        }
        Optional<Refused> refused = shape.refuses(ask.count(), ask.acceptStep());
        if (refused.isPresent()) {
            return refused.get();
        }
        return shape.guarantee() == Guarantee.STRICT && ask.count() > prospect.left()
                ? shape.exhausted(ask.count(), prospect.left())
                : null;
    }

    private Decision reserve(Ask ask, @Nullable RequestId id, Prospect prospect) {
        Shape shape = prospect.shape;
        Decision.Reserved reserved = new Decision.Reserved(shape, prospect.reserved, ask.count(), false);
        Run run = prospect.run;
        if (run == null) {
            run = new Run(shape.id(), shape.token(prospect.reserved));
            prospect.run = run;
            runs.add(run);
            bytes += RUN_BYTES;
        }
        if (id != null) {
            int client = clientNumber(id.client());
            run.add(ask.count(), client, id.sequence());
            ids.put(id, reserved);
            bytes += Packer.sizeOf(ask.count()) + Packer.sizeOf(client + 1) + Packer.sizeOf(id.sequence());
        } else if (run.addNameless(ask.count(), shape.maxCount())) {
            bytes += NUMBER_BYTES + 1; // it may grow
        }
        prospect.reserved += ask.count();
        return reserved;
    }

    private int clientNumber(String client) {
        Integer known = clients.get(client);
        if (known != null) {
            return known;
        }
        int number = clients.size();
        clients.put(client, number);
        bytes += client.length() + 1;
        return number;
    }

    /** How many tokens of a leased namespace are still to be covered. */
    public long left(Shape shape) {
        Prospect prospect = prospect(shape.name());
        return prospect == null ? 0 : prospect.left();
    }

    /** The index of the next token to cover. */
    public long reserved(Shape shape) {
        Prospect prospect = prospect(shape.name());
        return prospect == null ? 0 : prospect.reserved;
    }

    /** A range of a leased namespace will be committed ahead: {@link #lease} is called once all who wait for it are known. */
    public void expectLease() {
        bytes += LEASE_BYTES;
    }

    /** Commits a range of a leased namespace ahead; there must be so many left, and it must have been expected. */
    public void lease(Shape shape, long count, long unhanded) {
        Prospect prospect = prospect(shape.name());
        if (prospect == null || count < 1 || count > prospect.left()) {
            throw new IllegalArgumentException(
                    count + " tokens of " + shape.name() + " (expected: 1 to " + left(shape) + ")");
        }
        leases.add(new Batch.Lease(shape.id(), shape.token(prospect.reserved), count, unhanded));
        prospect.reserved += count;
    }
}
