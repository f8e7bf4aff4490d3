package dev.baton.node.config;

import dev.baton.core.timing.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Who this node is to the servers that keep the seats, and what it trusts.
 *
 * <p>The password itself is never part of a configuration, so that a file can be shown to anybody.
 */
public record EngineAccess(
        Optional<String> user, Optional<Path> passwordFile, Optional<String> passwordEnv, Optional<EngineTls> tls) {

    /**
     * PEM files for TLS to the servers.
     *
     * @param trust the authorities whose certificates are believed
     * @param certificate what this node shows, with its key; both or neither
     */
    public record EngineTls(Path trust, Optional<Path> certificate, Optional<Path> key) {}

    boolean hasPassword() {
        return passwordFile.isPresent() || passwordEnv.isPresent();
    }

    void addFaults(String prefix, List<Fault> faults) {
        if (passwordFile.isPresent() && passwordEnv.isPresent()) {
            faults.add(new Fault(prefix + "password-file", "with password-env beside it", "one of the two, not both"));
        }
        if (user.isPresent() && !hasPassword()) {
            faults.add(new Fault(
                    prefix + "user", user.get() + " without a password", "password-file or password-env as well"));
        }
        tls.filter(files -> files.certificate().isPresent() != files.key().isPresent())
                .ifPresent(files -> faults.add(new Fault(
                        prefix + "tls", "certificate without key, or key without certificate", "both or neither")));
    }
}
