package dev.baton.authority.etcd.wire;

import dev.baton.authority.etcd.EtcdSettings;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The members of the etcd cluster. One of them is asked as long as it answers; when it does not, the next.
 *
 * <p>A request that got no answer is sent to the next member while the bound allows. So every request that goes through
 * here must bear being carried out twice: ours compare first, and the second copy finds the first one's work.
 */
public final class Members implements AutoCloseable {

    /** So many members can be tried within one bound, even if each keeps silent. */
    private static final int TRIES = 3;

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private final List<Member> members;
    private final Duration requestTimeout;
    private final AtomicInteger preferred = new AtomicInteger();
    private final AtomicBoolean seeking = new AtomicBoolean();
    private final Set<Asked<?, ?>> underWay = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor loop;
    private volatile boolean closed;

    public Members(EtcdSettings settings) {
        this.members = settings.endpoints().stream()
                .map(endpoint -> new Member(endpoint, settings))
                .toList();
        this.requestTimeout = settings.requestTimeout();
        this.loop = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "etcd");
            thread.setDaemon(true);
            return thread;
        });
        seekLeader();
    }

    public List<Member> all() {
        return members;
    }

    public boolean isClosed() {
        return closed;
    }

    /** The whole time that one call to the authority may take. */
    public Bound bound() {
        return Bound.in(requestTimeout);
    }

    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** The member that is asked first. */
    public Member preferred() {
        return members.get(preferred.get());
    }

    /** From now on another one is asked first, if there is another. */
    public void avoid(Member member) {
        int index = members.indexOf(member);
        preferred.compareAndSet(index, (index + 1) % members.size());
    }

    public <Q, R> CompletableFuture<Reply<R>> ask(MethodDescriptor<Q, R> method, Q request, Bound by) {
        Asked<Q, R> asked = new Asked<>(method, request, by);
        underWay.add(asked);
        asked.attempt();
        return asked.answer.whenComplete((reply, defect) -> underWay.remove(asked));
    }

    /** A request on its way from member to member. */
    private final class Asked<Q, R> {

        private final MethodDescriptor<Q, R> method;
        private final Q request;
        private final Bound by;
        private final CompletableFuture<Reply<R>> answer = new CompletableFuture<>();
        private int tries;
        private boolean lost;
        private String trouble = "";

        Asked(MethodDescriptor<Q, R> method, Q request, Bound by) {
            this.method = method;
            this.request = request;
            this.by = by;
        }

        /** Attempts follow each other, so their fields need no guard: each is started by the end of the one before. */
        void attempt() {
            Duration left = by.left();
            if (closed) {
                giveUp("the authority is closed");
            } else if (!left.isPositive()) {
                giveUp(trouble.isEmpty() ? "no time left for another request" : trouble);
            } else {
                Member member = preferred();
                Duration share = requestTimeout.dividedBy(TRIES);
                var unused = member.ask(method, request, share.compareTo(left) < 0 ? share : left)
                        .thenAccept(reply -> heard(member, reply));
            }
        }

        private void heard(Member member, Reply<R> reply) {
            switch (reply) {
                case Reply.Got<R> got -> answer.complete(got);
                case Reply.Refused<R> refused ->
                    answer.complete(new Reply.Refused<>(refused.refusal(), refused.why(), lost));
                case Reply.Unsent<R> unsent -> next(member, unsent.why());
                case Reply.Lost<R> gone -> {
                    lost = true;
                    next(member, gone.why());
                }
            }
        }

        private void next(Member member, String why) {
            trouble = why;
            avoid(member);
            seekLeaderSoon();
            tries++;
            if (tries % members.size() == 0 && !closed) {
                later(this::attempt, PAUSE);
            } else {
                attempt();
            }
        }

        /** It may be on its way this very moment, so nobody can say that it was not sent. */
        void abandon() {
            answer.complete(new Reply.Lost<>("the authority is closed"));
        }

        private void giveUp(String why) {
            answer.complete(lost ? new Reply.Lost<>(why) : new Reply.Unsent<>(why));
        }
    }

    /** Runs the task after a while; at once if everything is being closed, so that nobody waits for ever. */
    public void later(Runnable task, Duration delay) {
        if (closed) {
            task.run();
        } else {
            try {
                var unused = loop.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                task.run(); // closed in between
            }
        }
    }

    private void seekLeaderSoon() {
        if (seeking.compareAndSet(false, true)) {
            later(
                    () -> {
                        seeking.set(false);
                        seekLeader();
                    },
                    requestTimeout);
        }
    }

    /** Asked at the leader, a request goes one way less; any member would do. */
    private void seekLeader() {
        for (Member member : members) {
            if (closed) {
                return;
            }
            var unused = status(member).thenAccept(reply -> {
                if (reply instanceof Reply.Got<StatusResponse> got
                        && got.value().getLeader() == got.value().getHeader().getMemberId()) {
                    preferred.set(members.indexOf(member));
                }
            });
        }
    }

    public CompletableFuture<Reply<StatusResponse>> status(Member member) {
        return status(member, requestTimeout);
    }

    public CompletableFuture<Reply<StatusResponse>> status(Member member, Duration within) {
        return member.ask(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), within);
    }

    /** Requests under way end as lost. */
    @Override
    public void close() {
        closed = true;
        members.forEach(Member::close);
        loop.shutdownNow();
        underWay.forEach(Asked::abandon);
        try {
            for (Member member : members) {
                member.awaitClosed(CLOSE_WITHIN);
            }
            loop.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
