package dev.baton.control.rpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.baton.control.ControlledSeat;
import dev.baton.control.access.Call;
import dev.baton.control.access.Caller;
import dev.baton.control.audit.AuditRecord;
import dev.baton.control.audit.Auditor;
import dev.baton.core.Bytes;
import dev.baton.core.Hash;
import dev.baton.seat.SeatStatus;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Does what was asked at most once per key. Thread-safe; blocks.
 *
 * <p>That a deed begins is on the disk before it does, and what came of it after; so a process that ends in between leaves
 * a record that says so.
 */
final class Deeds {

    private static final int LONGEST_KEY = 128;
    private static final int STRIPES = 64;

    /** After every other failure nothing has changed. */
    private static final Set<Status.Code> MAY_HAVE_ACTED = Set.of(Status.Code.ABORTED, Status.Code.UNAVAILABLE);

    private final Auditor auditor;
    private final ReentrantLock[] locks =
            Stream.generate(ReentrantLock::new).limit(STRIPES).toArray(ReentrantLock[]::new);

    Deeds(Auditor auditor) {
        this.auditor = auditor;
    }

    /**
     * What a request says of itself.
     *
     * @param seat what it is about, if that is known
     */
    record Asked(
            Call call,
            MessageLite request,
            String requester,
            String reason,
            String key,
            Optional<ControlledSeat> seat) {}

    /** Does what was asked; calls {@code begin} once everything is checked, and before anything changes. */
    @FunctionalInterface
    interface Work<A> {
        A run(Caller caller, Beginning begin) throws StatusException, InterruptedException;
    }

    /** Writes down that the deed begins. If it throws, the deed must not. */
    @FunctionalInterface
    interface Beginning {
        void now() throws StatusException;
    }

    <A extends MessageLite> void run(Asked asked, Parser<A> parser, StreamObserver<A> observer, Work<A> work) {
        Caller caller = CallGate.CALLER.get();
        try {
            A answer = asked.key().isEmpty() ? perform(caller, asked, work) : oncePerKey(caller, asked, parser, work);
            observer.onNext(answer);
            observer.onCompleted();
        } catch (StatusException e) {
            observer.onError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            observer.onError(Status.UNAVAILABLE
                    .withDescription("the node is shutting down")
                    .asException());
        }
    }

    private <A extends MessageLite> A oncePerKey(Caller caller, Asked asked, Parser<A> parser, Work<A> work)
            throws StatusException, InterruptedException {
        if (asked.key().length() > LONGEST_KEY) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("idempotency_key: " + asked.key().length() + " characters (expected: at most "
                            + LONGEST_KEY + ")")
                    .asException();
        }
        String scope = AuditRecord.scope(caller.identity(), asked.call().word(), asked.key());
        ReentrantLock lock = locks[Math.floorMod(scope.hashCode(), STRIPES)];
        lock.lockInterruptibly(); // a retry that comes while the first attempt still runs waits for its answer
        try {
            Optional<AuditRecord> earlier = auditor.earlier(caller, asked.call().word(), asked.key());
            return earlier.isPresent() ? again(earlier.get(), asked, parser) : perform(caller, asked, work);
        } finally {
            lock.unlock();
        }
    }

    private static <A extends MessageLite> A again(AuditRecord earlier, Asked asked, Parser<A> parser)
            throws StatusException {
        if (!earlier.request().equals(fingerprint(asked.request()))) {
            throw Status.INVALID_ARGUMENT
                    .withDescription("idempotency_key: used for another request before (expected: a new key)")
                    .asException();
        }
        try {
            return parser.parseFrom(Base64.getDecoder().decode(earlier.answer()));
        } catch (InvalidProtocolBufferException e) {
            throw Status.DATA_LOSS
                    .withDescription("the first answer cannot be read")
                    .withCause(e)
                    .asException();
        }
    }

    private <A extends MessageLite> A perform(Caller caller, Asked asked, Work<A> work)
            throws StatusException, InterruptedException {
        try {
            A answer = work.run(caller, () -> begin(caller, asked));
            record(caller, asked, Status.OK, Base64.getEncoder().encodeToString(answer.toByteArray()));
            return answer;
        } catch (StatusException e) {
            record(caller, asked, e.getStatus(), "");
            throw e;
        }
    }

    private void begin(Caller caller, Asked asked) throws StatusException {
        try {
            auditor.begun(caller, deed(asked, AuditRecord.BEGUN, "", ""));
        } catch (IOException e) {
            throw Status.UNAVAILABLE
                    .withDescription("the audit cannot be written: " + e + "; nothing has changed")
                    .asException();
        }
    }

    private static Auditor.Deed deed(Asked asked, String outcome, String detail, String answer) {
        Optional<SeatStatus> now = asked.seat().map(ControlledSeat::status);
        return new Auditor.Deed(
                asked.call().word(),
                now.map(seat -> seat.seat().seat().value()).orElse(""),
                asked.requester(),
                asked.reason(),
                asked.key(),
                outcome,
                detail,
                now.map(seat -> ControlledSeat.newestEpoch(seat).value()).orElse(0L),
                now.map(seat -> seat.head().height().value()).orElse(0L),
                fingerprint(asked.request()),
                asked.key().isEmpty() ? "" : answer);
    }

    private void record(Caller caller, Asked asked, Status status, String answer) throws InterruptedException {
        Auditor.Deed deed = deed(
                asked, status.getCode().name(), status.getDescription() == null ? "" : status.getDescription(), answer);
        if (asked.call() == Call.PREPARE) {
            auditor.noted(caller, deed); // the holder stays still and its ticket runs: no time to lose
        } else if (status.isOk() || MAY_HAVE_ACTED.contains(status.getCode())) {
            auditor.done(caller, deed);
        } else {
            auditor.refused(caller, deed);
        }
    }

    private static String fingerprint(MessageLite request) {
        return Bytes.copyOf(Hash.sha256(Bytes.wrap(request.toByteArray())).asBuffer())
                .toHex();
    }
}
