package dev.baton.core;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 digest. */
public final class Hash {

    public static final int SIZE = 32;

    /** The parent of the first entry. */
    public static final Hash ZERO = new Hash(new byte[SIZE]);

    private final Bytes bytes;

    private Hash(byte[] digest) {
        if (digest.length != SIZE) {
            throw new IllegalArgumentException("hash: " + digest.length + " bytes (expected: " + SIZE + ")");
        }
        this.bytes = Bytes.wrap(digest);
    }

    public static Hash of(byte[] digest) {
        return new Hash(digest.clone());
    }

    public static Hash parse(String hex) {
        return new Hash(HexFormat.of().parseHex(hex));
    }

    /** The digest of what stands between the buffer's position and its limit. */
    public static Hash sha256(ByteBuffer content) {
        MessageDigest digest = newSha256();
        digest.update(content.duplicate());
        return new Hash(digest.digest());
    }

    public static Hash sha256(Bytes content) {
        return sha256(content.asBuffer());
    }

    static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    static Hash finished(MessageDigest digest) {
        return new Hash(digest.digest());
    }

    public byte[] toArray() {
        return bytes.toArray();
    }

    public ByteBuffer asBuffer() {
        return bytes.asBuffer();
    }

    /** Enough digits to tell neighbours apart when people read them. */
    public String toShortString() {
        return bytes.toHex().substring(0, 12);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Hash that && bytes.equals(that.bytes);
    }

    @Override
    public int hashCode() {
        return bytes.hashCode();
    }

    @Override
    public String toString() {
        return bytes.toHex();
    }
}
