package dev.baton.authority.redis.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/** A script with its keys and arguments, ready to be sent. */
public record ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments) {

    /**
     * The same over a connection on which this run id was read: the last argument of an append. It spares the script from
     * asking the server who it is; an empty one lets it ask.
     */
    public ScriptCall over(String run) {
        if (script != Script.APPEND) {
            return this;
        }
        List<byte[]> all = new ArrayList<>(arguments);
        all.set(all.size() - 1, run.getBytes(UTF_8));
        return new ScriptCall(script, keys, all);
    }

    /** How much has to cross the network, roughly. */
    public int bytes() {
        int bytes = 0;
        for (byte[] argument : arguments) {
            bytes += argument.length;
        }
        return bytes;
    }
}
