package dev.baton.control.rpc;

import dev.baton.control.access.Call;
import dev.baton.control.access.Caller;
import dev.baton.control.access.Doorkeeper;
import dev.baton.control.access.Doorkeeper.Verdict;
import dev.baton.control.access.Role;
import dev.baton.control.audit.Auditor;
import dev.baton.control.state.BreakGlass;
import dev.baton.wire.admin.v1.ControlServiceGrpc;
import dev.baton.wire.control.v1.AuditServiceGrpc;
import dev.baton.wire.control.v1.BreakGlassServiceGrpc;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Lets a call in, or not, before a byte of its request is read.
 *
 * <p>Health and reflection are for every caller that is known.
 */
final class CallGate implements ServerInterceptor {

    static final Context.Key<Caller> CALLER = Context.key("caller");

    private static final Map<String, Call> CALLS = Map.of(
            ControlServiceGrpc.getHealthMethod().getFullMethodName(), Call.HEALTH,
            ControlServiceGrpc.getStatusMethod().getFullMethodName(), Call.STATUS,
            ControlServiceGrpc.getStartSequencerMethod().getFullMethodName(), Call.START,
            ControlServiceGrpc.getStopSequencerMethod().getFullMethodName(), Call.STOP,
            ControlServiceGrpc.getPrepareHandoffMethod().getFullMethodName(), Call.PREPARE,
            ControlServiceGrpc.getCompleteHandoffMethod().getFullMethodName(), Call.COMPLETE,
            AuditServiceGrpc.getListMethod().getFullMethodName(), Call.AUDIT,
            BreakGlassServiceGrpc.getBreakMethod().getFullMethodName(), Call.BREAK,
            BreakGlassServiceGrpc.getMendMethod().getFullMethodName(), Call.MEND);

    /** What a break-glass identity may do while the glass is whole. */
    private static final Set<Call> BEFORE_BREAKING =
            EnumSet.of(Call.HEALTH, Call.STATUS, Call.AUDIT, Call.BREAK, Call.MEND);

    private final Doorkeeper doorkeeper;
    private final BreakGlass glass;
    private final Auditor auditor;
    private final RateLimit rate;
    private final Semaphore places;

    CallGate(Doorkeeper doorkeeper, BreakGlass glass, Auditor auditor, Limits limits) {
        this.doorkeeper = doorkeeper;
        this.glass = glass;
        this.auditor = auditor;
        this.rate = new RateLimit(limits.perSecond(), limits.burst(), System::nanoTime);
        this.places = new Semaphore(limits.concurrent());
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        @Nullable SocketAddress remote = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        if (!rate.admits(host(remote))) {
            return refuse(call, Status.RESOURCE_EXHAUSTED.withDescription("too many requests; try later"));
        }
        String method = call.getMethodDescriptor().getFullMethodName();
        Optional<Call> named = Optional.ofNullable(CALLS.get(method));
        String word = named.map(Call::word).orElse(method);
        Verdict verdict = doorkeeper.judge(chain(call), String.valueOf(remote));
        if (verdict instanceof Verdict.Stranger stranger) {
            auditor.denied(stranger, word);
            return refuse(call, Status.PERMISSION_DENIED.withDescription(stranger.why()));
        }
        Caller caller = ((Verdict.Known) verdict).caller();
        Optional<String> objection = named.flatMap(asked -> objection(caller, asked));
        if (objection.isPresent()) {
            auditor.denied(caller, word, objection.get());
            return refuse(call, Status.PERMISSION_DENIED.withDescription(objection.get()));
        }
        return admit(call, headers, next, caller);
    }

    private Optional<String> objection(Caller caller, Call asked) {
        if (!doorkeeper.allows(caller, asked)) {
            return Optional.of(caller.identity() + " has the role "
                    + caller.role().word() + ", which does not include " + asked.word());
        }
        boolean sealed = caller.role() == Role.BREAK_GLASS
                && !BEFORE_BREAKING.contains(asked)
                && glass.now().isEmpty();
        return sealed
                ? Optional.of("the glass is whole (expected: baton.control.v1.BreakGlassService/Break first, with a"
                        + " reason)")
                : Optional.empty();
    }

    private <Q, A> ServerCall.Listener<Q> admit(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next, Caller caller) {
        if (!places.tryAcquire()) {
            return refuse(call, Status.RESOURCE_EXHAUSTED.withDescription("too many requests at once; try later"));
        }
        AtomicBoolean left = new AtomicBoolean();
        Runnable leave = () -> {
            if (left.compareAndSet(false, true)) {
                places.release();
            }
        };
        try {
            Context context = Context.current().withValue(CALLER, caller);
            return new SimpleForwardingServerCallListener<>(Contexts.interceptCall(context, call, headers, next)) {
                @Override
                public void onComplete() {
                    leave.run();
                    super.onComplete();
                }

                @Override
                public void onCancel() {
                    leave.run();
                    super.onCancel();
                }
            };
        } catch (RuntimeException e) {
            leave.run();
            throw e;
        }
    }

    private static <Q, A> ServerCall.Listener<Q> refuse(ServerCall<Q, A> call, Status status) {
        call.close(status, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static String host(@Nullable SocketAddress remote) {
        return remote instanceof InetSocketAddress inet ? inet.getHostString() : String.valueOf(remote);
    }

    private static List<X509Certificate> chain(ServerCall<?, ?> call) {
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        if (session == null) {
            return List.of();
        }
        try {
            Certificate[] shown = session.getPeerCertificates();
            return Arrays.stream(shown).map(X509Certificate.class::cast).toList();
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // the client showed none
        }
    }
}
