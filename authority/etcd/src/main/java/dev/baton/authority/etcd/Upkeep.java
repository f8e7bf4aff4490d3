package dev.baton.authority.etcd;

import com.google.protobuf.ByteString;
import dev.baton.authority.etcd.wire.Member;
import dev.baton.authority.etcd.wire.Members;
import dev.baton.authority.etcd.wire.Refusal;
import dev.baton.authority.etcd.wire.Reply;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DefragmentRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.StatusResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps etcd's disk use flat: every revision stays until it is compacted, and what was compacted stays in the file
 * until it is defragmented.
 *
 * <p>Only a holder does this, after its commits, now and then. Compaction concerns the whole etcd, whoever else uses
 * it; set {@code compact-after} to 0 where others rely on older revisions.
 */
final class Upkeep {

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    /** One at a time in the whole etcd, since a member that defragments answers nobody. */
    private static final ByteString LOCK = ByteString.copyFromUtf8("/baton/defragmenting");

    private static final Duration DEFRAGMENT_WITHIN = Duration.ofSeconds(60);
    private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

    private final EtcdSettings settings;
    private final Members members;
    private final long everyNanos;
    private final AtomicLong nextNanos;
    private final AtomicBoolean underWay = new AtomicBoolean();

    /** The revision at the last round; all below is old enough at the next. Only touched by one round at a time. */
    private volatile long lastRevision;

    private volatile boolean mayDefragment = true;

    Upkeep(EtcdSettings settings, Members members) {
        this.settings = settings;
        this.members = members;
        this.everyNanos = (settings.compactAfter().isZero() ? LOOK_EVERY : settings.compactAfter()).toNanos();
        this.nextNanos = new AtomicLong(System.nanoTime());
    }

    /** Somebody here holds a seat. Returns at once. */
    void committed() {
        long due = nextNanos.get();
        long now = System.nanoTime();
        if (now - due >= 0 && nextNanos.compareAndSet(due, now + everyNanos) && underWay.compareAndSet(false, true)) {
            var unused = round().whenComplete((done, defect) -> underWay.set(false));
        }
    }

    private CompletableFuture<?> round() {
        return compact().thenCompose(done -> statuses()).thenCompose(this::defragment);
    }

    private CompletableFuture<?> compact() {
        if (settings.compactAfter().isZero()) {
            return CompletableFuture.completedFuture(null);
        }
        return members.status(members.preferred()).thenCompose(reply -> {
            long old = lastRevision;
            if (reply instanceof Reply.Got<StatusResponse> got) {
                lastRevision = got.value().getHeader().getRevision();
            }
            if (old == 0) {
                return CompletableFuture.completedFuture(null);
            }
            // Somebody else may have compacted further; that is as good.
            return members.ask(
                    KVGrpc.getCompactMethod(),
                    CompactionRequest.newBuilder().setRevision(old).build(),
                    members.bound());
        });
    }

    /** A member and what it says about itself. */
    private record Seen(Member member, StatusResponse status) {

        boolean isLeader() {
            return status.getLeader() == status.getHeader().getMemberId();
        }

        boolean isMostlyEmpty(long aboveBytes) {
            return status.getDbSize() >= aboveBytes && status.getDbSize() > 2 * status.getDbSizeInUse();
        }
    }

    /** What the members that answer say of their room. */
    CompletableFuture<List<Room>> room() {
        return statuses()
                .thenApply(seen -> seen.stream()
                        .map(one -> Room.of(one.member().endpoint(), one.status()))
                        .toList());
    }

    private CompletableFuture<List<Seen>> statuses() {
        List<Seen> seen = new ArrayList<>();
        CompletableFuture<?> asked = CompletableFuture.completedFuture(null);
        for (Member member : members.all()) {
            asked = asked.thenCompose(before -> members.status(member)).thenAccept(reply -> {
                if (reply instanceof Reply.Got<StatusResponse> got) {
                    seen.add(new Seen(member, got.value()));
                }
            });
        }
        return asked.thenApply(done -> seen);
    }

    /** Never while a member is away: the one that defragments is away, too, and two may be too many. */
    private CompletableFuture<?> defragment(List<Seen> seen) {
        List<Seen> due = seen.stream()
                .filter(one -> one.isMostlyEmpty(settings.defragmentAboveBytes()))
                .sorted(Comparator.comparing(Seen::isLeader))
                .toList();
        if (settings.defragmentAboveBytes() == 0
                || !mayDefragment
                || due.isEmpty()
                || seen.size() < members.all().size()) {
            return CompletableFuture.completedFuture(null);
        }
        return lock().thenCompose(lease -> {
            if (lease == 0) {
                return CompletableFuture.completedFuture(null);
            }
            CompletableFuture<?> done = CompletableFuture.completedFuture(null);
            for (Seen one : due) {
                done = done.thenCompose(before -> defragment(one));
            }
            return done.thenCompose(all -> revoke(lease));
        });
    }

    private CompletableFuture<?> defragment(Seen one) {
        if (!mayDefragment || members.isClosed()) {
            return CompletableFuture.completedFuture(null);
        }
        members.avoid(one.member());
        return one.member()
                .ask(MaintenanceGrpc.getDefragmentMethod(), DefragmentRequest.getDefaultInstance(), DEFRAGMENT_WITHIN)
                .thenAccept(reply -> {
                    if (reply instanceof Reply.Got<?>) {
                        LOG.info(
                                "defragmented {}: {} bytes, of which {} were in use",
                                one.member().endpoint(),
                                one.status().getDbSize(),
                                one.status().getDbSizeInUse());
                    } else {
                        mayDefragment = !isDenied(reply);
                        LOG.warn("{} is not defragmented: {}", one.member().endpoint(), objection(reply));
                    }
                });
    }

    /** What no later round would change: the user stays who it is. */
    private static boolean isDenied(Reply<?> reply) {
        return reply instanceof Reply.Refused<?> refused && refused.refusal() == Refusal.DENIED;
    }

    /** Why a member was not defragmented, with the remedy where there is one. */
    static String objection(Reply<?> reply) {
        return isDenied(reply)
                ? Reply.trouble(reply) + " (expected: a user with the role root, or authority.defragment-above: 0)"
                : Reply.trouble(reply) + "; the next round tries again if it is still due";
    }

    /** The lease of the lock, or 0 if somebody else has it. */
    private CompletableFuture<Long> lock() {
        long seconds = DEFRAGMENT_WITHIN.toSeconds() * members.all().size();
        return members.ask(
                        LeaseGrpc.getLeaseGrantMethod(),
                        LeaseGrantRequest.newBuilder().setTTL(seconds).build(),
                        members.bound())
                .thenCompose(reply -> reply instanceof Reply.Got<LeaseGrantResponse> got
                        ? lock(got.value().getID())
                        : CompletableFuture.completedFuture(0L));
    }

    private CompletableFuture<Long> lock(long lease) {
        TxnRequest transaction = TxnRequest.newBuilder()
                .addCompare(Compare.newBuilder()
                        .setKey(LOCK)
                        .setTarget(Compare.CompareTarget.VERSION)
                        .setResult(Compare.CompareResult.EQUAL)
                        .setVersion(0))
                .addSuccess(RequestOp.newBuilder()
                        .setRequestPut(PutRequest.newBuilder().setKey(LOCK).setLease(lease)))
                .build();
        return members.ask(KVGrpc.getTxnMethod(), transaction, members.bound())
                .thenCompose(reply -> reply instanceof Reply.Got<TxnResponse> got
                                && got.value().getSucceeded()
                        ? CompletableFuture.completedFuture(lease)
                        : revoke(lease).thenApply(done -> 0L));
    }

    /** Frees the lock, or gives up what was taken for it in vain: a copy of the request that comes late finds no lease. */
    private CompletableFuture<?> revoke(long lease) {
        return members.ask(
                LeaseGrpc.getLeaseRevokeMethod(),
                LeaseRevokeRequest.newBuilder().setID(lease).build(),
                members.bound());
    }
}
