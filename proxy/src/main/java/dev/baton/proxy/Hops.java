package dev.baton.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;

/** Headers that are about one connection and must not go on to the next. */
final class Hops {

    private static final List<CharSequence> NAMES = List.of(
            HttpHeaderNames.CONNECTION,
            HttpHeaderNames.PROXY_AUTHENTICATE,
            HttpHeaderNames.PROXY_AUTHORIZATION,
            HttpHeaderNames.TE,
            HttpHeaderNames.TRAILER,
            HttpHeaderNames.TRANSFER_ENCODING,
            HttpHeaderNames.UPGRADE,
            HttpHeaderNames.EXPECT,
            "keep-alive",
            "proxy-connection");

    private Hops() {}

    static void strip(HttpHeaders headers) {
        for (String named : headers.getAllAsString(HttpHeaderNames.CONNECTION)) {
            for (String name : named.split(",", -1)) {
                if (!name.isBlank()) {
                    headers.remove(name.strip());
                }
            }
        }
        NAMES.forEach(headers::remove);
    }
}
