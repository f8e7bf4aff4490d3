package dev.baton.authority.etcd;

/**
 * Who we are to etcd.
 *
 * <p>The user's role needs {@code readwrite} on the prefix {@code /baton/}. Only {@code root} may defragment; without
 * that right a node leaves it to others.
 */
public record Login(String user, String password) {

    /** Never tells the password: settings are printed and logged. */
    @Override
    public String toString() {
        return user + " with a password";
    }
}
