package dev.baton.authority.raft;

import dev.baton.authority.Page;
import dev.baton.authority.PageLimit;
import dev.baton.authority.SeatEvent;
import dev.baton.core.Bytes;
import dev.baton.core.Ending;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Epoch;
import dev.baton.core.Head;
import dev.baton.core.Height;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state machine as the engine drives it: it applies, takes snapshots, and tells the member what happened.
 *
 * <p>It never throws while applying, because that would kill the member, and with it all others in turn: what cannot
 * be done is a {@link Reply}.
 */
final class RaftLedger extends BaseStateMachine {

    private static final Logger LOG = LoggerFactory.getLogger(RaftLedger.class);

    /** What the member wants to hear. Called on threads of the engine, which must not be held up. */
    interface Events {
        void leaderReady();

        /** The leader, the Raft term or a seat has changed. */
        void changed();

        /** The request with this call id is about to be written to the log. */
        void appending(RaftClientRequest request);

        void broken(String why, @Nullable Throwable cause);

        /** The engine is to ask for a snapshot: it is written, or is late. */
        void snapshotReady();

        CompletableFuture<Bytes> asked(Bytes request);
    }

    /** A reply on its way to the caller, which is always in the same process. */
    record ReplyMessage(Reply reply) implements Message {
        @Override
        public ByteString getContent() {
            return ByteString.copyFromUtf8(reply.toString());
        }
    }

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final RaftSettings.Limits limits;
    private final Watches watches;
    private final Events events;
    private final SnapshotWriter snapshots;

    private final Object lock = new Object();
    private LedgerState state;
    private final Map<SeatId, Long> changedNanos = new HashMap<>();
    /** Since the last snapshot was begun; the applying thread's alone. */
    private int entriesSince;

    private long bytesSince;

    RaftLedger(RaftSettings.Limits limits, Watches watches, Events events, Executor beside) {
        this.limits = limits;
        this.watches = watches;
        this.events = events;
        this.snapshots = new SnapshotWriter(beside, events::snapshotReady);
        this.state = new LedgerState(watches::offer);
    }

    // What this member knows

    private <R> R inspect(Function<LedgerState, R> question) {
        synchronized (lock) {
            return question.apply(state);
        }
    }

    SeatView view(SeatId id) {
        synchronized (lock) {
            return viewOf(id, state.seat(id));
        }
    }

    private SeatView viewOf(SeatId id, Optional<SeatState> found) {
        long term = state.raftTerm();
        if (found.isEmpty()) {
            return new SeatView(Optional.empty(), Ending.NONE, Epoch.NONE, Head.GENESIS, Height.FIRST, term, 0);
        }
        SeatState seat = found.get();
        LedgerWindow window = seat.window();
        return new SeatView(
                seat.seating(),
                seat.lastEnded(),
                seat.highestEpoch(),
                window.head(),
                window.oldest(),
                term,
                changedNanos.getOrDefault(id, 0L));
    }

    /** A question to one seat's rules; empty if the seat does not exist. */
    <R> Optional<R> ask(SeatId id, Function<SeatState, R> question) {
        return inspect(ledger -> ledger.seat(id).map(question));
    }

    /** A held seat, and since when its holder has not committed anything. */
    record HeldSeat(SeatId id, Term term, long renewedNanos) {}

    List<HeldSeat> held() {
        synchronized (lock) {
            List<HeldSeat> held = new ArrayList<>();
            for (SeatState seat : state.seats()) {
                Optional<Seating> seating = seat.seating();
                if (seating.isPresent()) {
                    SeatId id = seat.id();
                    held.add(new HeldSeat(id, seating.get().term(), changedNanos.getOrDefault(id, 0L)));
                }
            }
            return held;
        }
    }

    Page read(SeatId id, Height from, PageLimit limit) {
        List<LedgerWindow.Stored> stored;
        Head head;
        synchronized (lock) {
            Optional<SeatState> seat = state.seat(id);
            if (seat.isEmpty()) {
                return new Page.Entries(List.of(), Head.GENESIS);
            }
            LedgerWindow window = seat.get().window();
            if (!window.reachesDownTo(from)) {
                return new Page.Trimmed(window.oldest());
            }
            stored = window.page(from, limit);
            head = window.head();
        }
        // Outside of the lock: decoding computes each entry's hash, and applying must not wait for readers.
        List<Entry> entries = new ArrayList<>();
        for (LedgerWindow.Stored one : stored) {
            Entry entry = EntryCodec.decode(id, one.encoded().asBuffer());
            if (!entry.hash().equals(one.hash())) {
                throw new IllegalStateException(entry + " of " + id + ": does not match its stored hash " + one.hash());
            }
            entries.add(entry);
        }
        return new Page.Entries(entries, head);
    }

    SeatWatch watch(SeatId id, Consumer<SeatEvent> listener) {
        SeatWatch watch = new SeatWatch(id, listener, watches::remove);
        synchronized (lock) {
            SeatView now = viewOf(id, state.seat(id));
            watch.offer(
                    now.seating().isPresent()
                            ? new SeatEvent.Taken(now.seating().get())
                            : new SeatEvent.Vacated(now.lastEnded()));
            if (!now.head().isGenesis()) {
                watch.offer(new SeatEvent.Advanced(now.head()));
            }
            watches.add(watch);
        }
        watches.wake();
        return watch;
    }

    // What the engine tells

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) {
        return TransactionContext.newBuilder()
                .setStateMachine(this)
                .setClientRequest(request)
                .build();
    }

    @Override
    public TransactionContext preAppendTransaction(TransactionContext transaction) {
        RaftClientRequest request = transaction.getClientRequest();
        if (request != null) {
            events.appending(request);
        }
        return transaction;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto logged = transaction.getLogEntry();
        ByteString data = logged.getStateMachineLogEntry().getLogData();
        Reply reply;
        synchronized (lock) {
            reply = apply(Bytes.copyOf(data.asReadOnlyByteBuffer()), logged.getTerm());
            updateLastAppliedTermIndex(logged.getTerm(), logged.getIndex());
        }
        entriesSince++;
        bytesSince += logged.getSerializedSize();
        if (entriesSince >= limits.snapshotEntries() || bytesSince >= limits.snapshotBytes()) {
            snapshotDue();
        }
        return CompletableFuture.completedFuture(new ReplyMessage(reply));
    }

    private Reply apply(Bytes bytes, long term) {
        Command command;
        try {
            command = CommandCodec.decode(bytes);
        } catch (IllegalArgumentException e) {
            LOG.error("log entry of term {}: not a command, passed over: {}", term, e.getMessage());
            return new Reply.Malformed(String.valueOf(e.getMessage()));
        }
        try {
            Reply reply = state.apply(command, term);
            note(command, reply);
            return reply;
        } catch (RuntimeException e) {
            events.broken("applying " + command + " failed", e);
            return new Reply.Malformed("applying failed: " + e);
        }
    }

    private void note(Command command, Reply reply) {
        switch (reply) {
            case Reply.Granted ignored -> touch(command.seat());
            case Reply.Committed ignored -> changedNanos.put(command.seat(), System.nanoTime());
            case Reply.Ended ignored -> touch(command.seat());
            case Reply.Held ignored -> {}
            case Reply.Refused ignored -> {}
            case Reply.Spent ignored -> {}
            case Reply.Fenced ignored -> {}
            case Reply.Conflict ignored -> {}
            case Reply.Trimmed ignored -> {}
            case Reply.Malformed ignored -> {}
        }
    }

    private void touch(SeatId seat) {
        changedNanos.put(seat, System.nanoTime());
        events.changed();
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        synchronized (lock) {
            state.reach(term);
        }
        events.changed();
    }

    @Override
    public void notifyLeaderReady() {
        events.leaderReady();
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        events.changed();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        events.changed();
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        events.broken("the log cannot be written", cause);
    }

    @Override
    public CompletableFuture<Message> query(Message request) {
        return events.asked(Bytes.copyOf(request.getContent().asReadOnlyByteBuffer()))
                .thenApply(answer -> Message.valueOf(ByteString.copyFrom(answer.asBuffer())));
    }

    // Snapshots

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage) throws IOException {
        super.initialize(server, group, raftStorage);
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            storage.init(raftStorage);
                            load();
                        },
                        IOException.class);
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        getLifeCycle().startAndTransition(this::load, IOException.class);
        watches.offerAll(new SeatEvent.Missed("this member was so far behind that it received a snapshot"));
        events.changed();
    }

    private void load() throws IOException {
        snapshots.drop(); // one that is under way is older than the one to be loaded
        SingleFileSnapshotInfo latest = storage.loadLatestSnapshot();
        if (latest == null) {
            return;
        }
        File file = latest.getFile().getPath().toFile();
        MD5Hash digest = latest.getFile().getFileDigest();
        if (digest != null) {
            MD5FileUtil.verifySavedMD5(file, digest);
        }
        LedgerImage image;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file.toPath()))) {
            image = SnapshotCodec.read(in);
        }
        synchronized (lock) {
            state = new LedgerState(image, watches::offer);
            changedNanos.clear();
            setLastAppliedTermIndex(latest.getTermIndex());
        }
    }

    /** If the last one is still being written, nothing more is applied until it is: the log must not outgrow the disk. */
    private void snapshotDue() {
        entriesSince = 0;
        bytesSince = 0;
        if (snapshots.isBusy()) {
            events.snapshotReady();
            return;
        }
        TermIndex last = getLastAppliedTermIndex();
        LedgerImage image = inspect(LedgerState::image);
        snapshots.begin(last, storage.getSnapshotFile(last.getTerm(), last.getIndex()), image);
    }

    /** Called by the applying thread after {@link Events#snapshotReady}. */
    @Override
    public long takeSnapshot() throws IOException {
        Optional<SnapshotWriter.Written> written = snapshots.take();
        if (written.isEmpty()) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        storage.updateLatestSnapshot(
                new SingleFileSnapshotInfo(written.get().file(), written.get().last()));
        return written.get().last().getIndex();
    }

    /** Nothing is written any more when it returns. */
    @Override
    public void close() throws IOException {
        snapshots.drop();
        super.close();
    }
}
