package dev.baton.authority.redis.script;

import java.util.List;

/** A script with its keys and arguments, ready to be sent. */
public record ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments) {

    /** How much has to cross the network, roughly. */
    public int bytes() {
        int bytes = 0;
        for (byte[] argument : arguments) {
            bytes += argument.length;
        }
        return bytes;
    }
}
