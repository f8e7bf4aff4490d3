package dev.baton.control.rpc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.function.Supplier;

/** What a call ended with. */
final class Codes {

    private Codes() {}

    static Status.Code of(Supplier<?> call) {
        try {
            var unused = call.get();
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    static void assertRefused(Status.Code code, String why, Supplier<?> call) {
        assertThatThrownBy(call::get).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            org.assertj.core.api.Assertions.assertThat(e.getStatus().getCode())
                    .as(String.valueOf(e.getStatus().getDescription()))
                    .isEqualTo(code);
            org.assertj.core.api.Assertions.assertThat(e.getStatus().getDescription())
                    .contains(why);
        });
    }
}
