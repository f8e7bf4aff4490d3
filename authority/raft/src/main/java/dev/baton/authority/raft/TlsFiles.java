package dev.baton.authority.raft;

import java.nio.file.Path;

/**
 * Where a member's certificates are. Members then talk over mutual TLS only.
 *
 * @param key the private key, PKCS#8 in PEM
 * @param certificate the certificate chain, for client and server use, naming the member's host
 * @param authority the certificates that peers must be signed by
 */
public record TlsFiles(Path key, Path certificate, Path authority) {}
