package dev.baton.proxy;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.Locale;

/** What a path asks for, however it is written. */
final class Paths {

    /** Who may start and stop a sequencer is decided at the node's own listener, never by who reaches a proxy. */
    static final String ADMIN = "evnode.admin.";

    private Paths() {}

    static String withoutQuery(String uri) {
        int query = uri.indexOf('?');
        return query < 0 ? uri : uri.substring(0, query);
    }

    /** Whether any part of the path names the Admin Control API, also in other letters, escaped once or twice. */
    static boolean isAdmin(String uri) {
        String path = uri;
        for (int unescaped = 0; unescaped < 3; unescaped++) {
            if (path.toLowerCase(Locale.ROOT).contains(ADMIN)) {
                return true;
            }
            try {
                path = QueryStringDecoder.decodeComponent(path);
            } catch (IllegalArgumentException e) {
                return false; // no server could read it either
            }
        }
        return false;
    }
}
