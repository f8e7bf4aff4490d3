package dev.baton.authority.nats.wire;

import io.nats.client.Message;
import io.nats.client.api.ApiResponse;

/** What a server answered: JSON, perhaps with an error in it. */
public final class Answer extends ApiResponse<Answer> {

    private static final int SERVICE_UNAVAILABLE = 503;

    private final Message message;

    Answer(Message message) {
        super(message);
        this.message = message;
    }

    public Message message() {
        return message;
    }

    Refusal refusal() {
        return Refusal.of(getApiErrorCode());
    }

    /** JetStream cannot say now: it elects a leader, or has no majority. */
    boolean isUnavailable() {
        return getErrorCode() == SERVICE_UNAVAILABLE
                && refusal() != Refusal.NOT_ENABLED_FOR_ACCOUNT
                && refusal() != Refusal.NOT_ENABLED;
    }
}
