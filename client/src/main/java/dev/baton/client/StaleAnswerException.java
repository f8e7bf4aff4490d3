package dev.baton.client;

import io.grpc.Status;

/**
 * The service answered with tokens that it must not hand out any more; none of them was passed on.
 *
 * <p>Either the revision is lower than one that was known before the request was sent, or the tokens are not above those
 * that were, or they overlap others. That is never normal: a node serves from an old or a damaged state.
 */
public final class StaleAnswerException extends TokenException {

    public StaleAnswerException(String namespace, String reason) {
        super(namespace, Status.Code.DATA_LOSS, reason);
    }

    @Override
    StaleAnswerException forThisThread() {
        StaleAnswerException same = new StaleAnswerException(namespace(), reason());
        same.initCause(this);
        return same;
    }
}
