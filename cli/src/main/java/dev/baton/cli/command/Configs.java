package dev.baton.cli.command;

import dev.baton.cli.CliFailure;
import dev.baton.cli.Exit;
import dev.baton.node.NodeFailure;
import dev.baton.node.config.ConfigException;
import dev.baton.node.config.ConfigReader;
import dev.baton.node.config.NodeConfig;
import java.nio.file.Path;

/** A node's configuration, for commands that act in its place; what they run into is told as the node tells it. */
public final class Configs {

    private Configs() {}

    public static NodeConfig read(Path file) throws CliFailure {
        try {
            return ConfigReader.read(file);
        } catch (ConfigException e) {
            throw new CliFailure(Exit.CONFIGURATION, String.valueOf(e.getMessage()), e);
        }
    }

    public static CliFailure failure(NodeFailure failure, String remedy) {
        Exit exit = Exit.numbered(failure.code().number()).orElse(Exit.DEFECT);
        return new CliFailure(exit, failure.getMessage() + remedy, failure);
    }
}
