package dev.baton.node.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.core.ClusterId;
import dev.baton.core.Holder;
import dev.baton.core.Incarnation;
import dev.baton.core.NodeId;
import dev.baton.wire.node.v1.AttendResponse;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttendantsTest {

    private final Attendants attendants =
            new Attendants(new ClusterId("demo"), new Holder(new NodeId("n1"), new Incarnation(0xabcL)));
    private final List<String> heard = new ArrayList<>();

    private final StreamObserver<AttendResponse> attendant = new StreamObserver<>() {
        @Override
        public void onNext(AttendResponse who) {
            heard.add(who.getCluster() + " " + who.getNode() + " " + Long.toHexString(who.getIncarnation()));
        }

        @Override
        public void onError(Throwable failure) {
            heard.add(failure.toString());
        }

        @Override
        public void onCompleted() {
            heard.add("goodbye");
        }
    };

    @Test
    void whoComesIsToldWhichProcessThisIsAndHearsNoMore() {
        attendants.admit(attendant);

        assertThat(heard).containsExactly("demo n1 abc");
    }

    /** Otherwise the server would wait for its grace to end, and then break the connections off. */
    @Test
    void everybodyHearsTheGoodbye() {
        attendants.admit(attendant);
        attendants.close();

        assertThat(heard).containsExactly("demo n1 abc", "goodbye");
    }

    @Test
    void whoComesTooLateIsNotKeptWaiting() {
        attendants.close();
        attendants.admit(attendant);

        assertThat(heard).containsExactly("demo n1 abc", "goodbye");
    }
}
