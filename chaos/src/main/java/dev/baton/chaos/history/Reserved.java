package dev.baton.chaos.history;

/**
 * What one term reserved of a namespace, as a node's state tells it at the end.
 *
 * @param end the last token plus 1
 */
public record Reserved(long epoch, long first, long end, long firstHeight, long lastHeight) {

    /** Whether those tokens were reserved by that term. */
    public boolean covers(Answer.Issued issued) {
        return epoch == issued.epoch() && first <= issued.start() && issued.end() < end;
    }
}
