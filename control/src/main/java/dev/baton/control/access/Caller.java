package dev.baton.control.access;

/**
 * Who asks.
 *
 * @param identity the name in the certificate that the policy knows
 * @param certificate the SHA-256 fingerprint; empty if none was shown
 * @param from the address that the connection came from
 */
public record Caller(String identity, Role role, String certificate, String from) {}
