package dev.baton.node;

import dev.baton.authority.etcd.EtcdAuthority;
import dev.baton.authority.etcd.seat.MemberState;
import dev.baton.core.SeatId;
import java.util.List;
import java.util.Optional;

/** The members of the etcd cluster, as each tells of itself. */
record EtcdNodes(EtcdAuthority etcd) implements EngineNodes {

    @Override
    public List<State> of(SeatId seat) throws InterruptedException {
        return EngineNodes.compared(Asked.answer(etcd.seat(seat).members()).orElse(List.of()).stream()
                .map(EtcdNodes::state)
                .toList());
    }

    private static State state(MemberState member) {
        return new State(
                member.address(),
                member.figures()
                        .map(figures -> figures.leads() ? "leader" : "follower")
                        .orElse(null),
                member.copy()
                        .map(copy -> Copy.of(copy.highest(), copy.seating(), copy.head()))
                        .orElse(null),
                member.trouble().isEmpty() ? Health.WELL : member.silent() ? Health.SILENT : Health.AMISS,
                member.figures().map(EtcdNodes::words).orElse(""),
                member.trouble().orElse(""));
    }

    private static String words(MemberState.Figures figures) {
        return "revision " + figures.revision() + ", database " + (figures.databaseBytes() >> 10) + " KiB, of which "
                + (figures.usedBytes() >> 10) + " in use";
    }

    @Override
    public Optional<String> change(SeatId seat, Optional<String> leaving, Optional<String> arriving) {
        return Optional.of("etcd changes its members itself (expected: etcdctl member add, etcdctl member remove)");
    }

    @Override
    public boolean areCountedHere() {
        return false;
    }
}
