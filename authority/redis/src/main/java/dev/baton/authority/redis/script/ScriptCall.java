package dev.baton.authority.redis.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/** A script with its keys and arguments, before it is known which connection takes it. */
public record ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments) {

    /**
     * Ready for a connection on which this run id was read: the last argument of an append. It spares the script from
     * asking the server who it is; an empty one lets it ask.
     */
    public SealedCall over(String run) {
        List<byte[]> all = new ArrayList<>(arguments.size() + 1);
        all.addAll(arguments);
        if (script == Script.APPEND) {
            all.set(all.size() - 1, run.getBytes(UTF_8));
        }
        return SealedCall.of(this, all);
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
