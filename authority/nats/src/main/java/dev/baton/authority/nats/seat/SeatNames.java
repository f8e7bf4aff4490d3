package dev.baton.authority.nats.seat;

import dev.baton.core.SeatId;

/**
 * Where a seat lives in NATS. No part of a seat's identity contains a dot or an underscore, so two seats never share a
 * stream.
 *
 * @param stream the stream that keeps it: {@code baton_<cluster>_<era>_<seat>}
 * @param subject the one subject of that stream
 * @param hint where writers tell that there is something new; no stream collects it
 */
public record SeatNames(String stream, String subject, String hint) {

    public static SeatNames of(SeatId seat) {
        String path = seat.cluster() + "." + seat.era() + "." + seat.seat();
        return new SeatNames("baton_" + path.replace('.', '_'), "baton.seat." + path, "baton.hint." + path);
    }
}
