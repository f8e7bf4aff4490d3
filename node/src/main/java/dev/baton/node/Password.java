package dev.baton.node;

import dev.baton.node.config.EngineAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where an engine's password is read, and nowhere else. */
final class Password {

    private Password() {}

    static Optional<String> of(EngineAccess access) throws NodeFailure {
        if (access.passwordEnv().isPresent()) {
            return access.passwordEnv().map(System::getenv);
        }
        if (access.passwordFile().isEmpty()) {
            return Optional.empty();
        }
        Path file = access.passwordFile().get();
        String password;
        try {
            password = Files.readString(file).strip();
        } catch (IOException e) {
            throw new NodeFailure(
                    ExitCode.CONFIGURATION,
                    "authority.password-file: " + file + " cannot be read: " + e + " (expected: the password in it)",
                    e);
        }
        if (password.isEmpty()) {
            throw new NodeFailure(
                    ExitCode.CONFIGURATION, "authority.password-file: " + file + " is empty (expected: the password)");
        }
        return Optional.of(password);
    }
}
