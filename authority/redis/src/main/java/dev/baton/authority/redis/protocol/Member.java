package dev.baton.authority.redis.protocol;

/** A member of a seat's node set, and the {@code host:port} of its Redis. */
public record Member(MemberId id, String address) {

    public Member {
        if (!address.matches("[^\\s,@/]+:[0-9]{1,5}")) {
            throw new IllegalArgumentException("member " + id + ": address " + address + " (expected: host:port)");
        }
    }

    /** Reads what {@link #toString} writes. */
    public static Member parse(String text) {
        int at = text.indexOf('@');
        if (at < 0) {
            throw new IllegalArgumentException("member: " + text + " (expected: id@host:port)");
        }
        return new Member(new MemberId(text.substring(0, at)), text.substring(at + 1));
    }

    @Override
    public String toString() {
        return id + "@" + address;
    }
}
