package dev.baton.authority.etcd.seat;

import dev.baton.authority.etcd.wire.Member;
import dev.baton.authority.etcd.wire.Members;
import dev.baton.authority.etcd.wire.Reply;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.StatusResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Asks every member for its own copy of a seat, all at the same time: two short requests each, which none of them passes
 * on to another.
 */
record Survey(SeatLine line) {

    /** Whoever takes longer is as good as away for somebody who looks. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    CompletableFuture<List<MemberState>> run() {
        Members members = line.members();
        Duration within = members.requestTimeout().compareTo(PATIENCE) < 0 ? members.requestTimeout() : PATIENCE;
        List<CompletableFuture<MemberState>> asked = members.all().stream()
                .map(member -> ask(member, members.status(member, within), within))
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(all -> asked.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<MemberState> ask(
            Member member, CompletableFuture<Reply<StatusResponse>> status, Duration within) {
        return member.ask(KVGrpc.getRangeMethod(), ownCopy(), within)
                .thenCombine(
                        status,
                        (copy, figures) -> new MemberState(
                                member.endpoint(),
                                figures(figures),
                                copy(copy),
                                copy instanceof Reply.Got<RangeResponse>
                                        ? Optional.empty()
                                        : Optional.of(Reply.trouble(copy)),
                                copy instanceof Reply.Unsent<RangeResponse>
                                        || copy instanceof Reply.Lost<RangeResponse>));
    }

    /** Serializable: the member answers from what it has, without asking the others whether that is the newest. */
    private RangeRequest ownCopy() {
        return line.transactions().picture().toBuilder().setSerializable(true).build();
    }

    private Optional<MemberState.Copy> copy(Reply<RangeResponse> reply) {
        if (!(reply instanceof Reply.Got<RangeResponse> got)) {
            return Optional.empty();
        }
        SeatState state = line.state(got.value());
        return Optional.of(new MemberState.Copy(state.highestEpoch(), state.seating(), state.head()));
    }

    private static Optional<MemberState.Figures> figures(Reply<StatusResponse> reply) {
        if (!(reply instanceof Reply.Got<StatusResponse> got)) {
            return Optional.empty();
        }
        StatusResponse status = got.value();
        return Optional.of(new MemberState.Figures(
                status.getLeader() == status.getHeader().getMemberId(),
                status.getHeader().getRevision(),
                status.getDbSize(),
                status.getDbSizeInUse()));
    }
}
