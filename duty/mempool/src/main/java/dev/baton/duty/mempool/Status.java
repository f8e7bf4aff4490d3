package dev.baton.duty.mempool;

import dev.baton.core.Hash;
import java.util.Optional;

/** Where one transaction is. */
public record Status(Hash hash, Stage stage, long confirmations, long nonConfirmations, Optional<Point> confirmedAt) {

    public static Status unknown(Hash hash) {
        return new Status(hash, Stage.UNKNOWN, 0, 0, Optional.empty());
    }
}
