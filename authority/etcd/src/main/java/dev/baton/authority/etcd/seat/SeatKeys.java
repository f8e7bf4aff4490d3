package dev.baton.authority.etcd.seat;

import com.google.protobuf.ByteString;
import dev.baton.core.Height;
import dev.baton.core.SeatId;

/**
 * Where a seat is kept: {@code /baton/<cluster>/<era>/<seat>/}.
 *
 * <p>Everything about the present stands under {@code now/}, so that one range is the whole picture and a watch of it
 * carries no entries. Names hold neither slashes nor anything below one, so no seat's keys lie within another's.
 */
record SeatKeys(String base) {

    static final String ROOT = "/baton/";

    static SeatKeys of(SeatId seat) {
        return new SeatKeys(ROOT + seat.cluster() + "/" + seat.era() + "/" + seat.seat() + "/");
    }

    /** Who holds the seat, under the holder's lease: absent when it is free. Only promotions write it. */
    ByteString seat() {
        return now("seat");
    }

    /** The last term, written together with the seat, but for ever. */
    ByteString term() {
        return now("term");
    }

    ByteString head() {
        return now("head");
    }

    /** The last term that was given up, and how. */
    ByteString ended() {
        return now("ended");
    }

    /** The lowest height that is still kept; absent until the first trim. */
    ByteString oldest() {
        return now("oldest");
    }

    ByteString nowBegin() {
        return key("now/");
    }

    ByteString nowEnd() {
        return key("now0"); // '0' follows '/'
    }

    ByteString entry(Height height) {
        return key("entry/%016x".formatted(height.value()));
    }

    private ByteString now(String name) {
        return key("now/" + name);
    }

    private ByteString key(String name) {
        return ByteString.copyFromUtf8(base + name);
    }
}
