package dev.baton.authority.redis.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A digest of a call, which the script checks before it does anything, and which the head of its answer is bound to. So
 * bytes that were changed on the way are noticed on either side, and no answer is taken for that of another call. It
 * guards against accidents, not against people: that is what TLS is for.
 */
final class Seal {

    /** The parts of the longest answer, entries aside; each entry has a hash of its own. {@code seal.lua} has the same. */
    private static final int HEAD = 14;

    private final byte[] digest;

    private Seal(byte[] digest) {
        this.digest = digest;
    }

    static Seal of(List<byte[]> keys, List<byte[]> arguments) {
        MessageDigest sha1 = sha1();
        keys.forEach(sha1::update);
        arguments.forEach(sha1::update);
        return new Seal(hex(sha1));
    }

    /** As the last argument of the call. */
    byte[] bytes() {
        return digest;
    }

    /** Whether the answer, a seal in front, is the one that the script gave to this call. */
    boolean fits(List<?> answer) {
        return answer.size() > 1
                && answer.getFirst() instanceof byte[] found
                && Arrays.equals(found, answer.size() == 2 ? digest : with(answer.subList(1, answer.size())));
    }

    private byte[] with(List<?> answer) {
        MessageDigest sha1 = sha1();
        sha1.update(digest);
        String separator = "";
        for (Object part : answer.subList(0, Math.min(answer.size(), HEAD))) {
            sha1.update(separator.getBytes(UTF_8));
            if (part instanceof byte[] bytes) {
                sha1.update(bytes);
            }
            separator = " ";
        }
        return hex(sha1);
    }

    private static byte[] hex(MessageDigest sha1) {
        return HexFormat.of().formatHex(sha1.digest()).getBytes(UTF_8);
    }

    static String ofText(String text) {
        MessageDigest sha1 = sha1();
        sha1.update(text.getBytes(UTF_8));
        return new String(hex(sha1), UTF_8);
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
