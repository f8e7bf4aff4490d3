package dev.baton.cli.up;

import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One node of the cluster. */
record NodeProgram(ClusterFolder folder, String name) implements Program {

    private static final List<Exit> INCURABLE =
            List.of(Exit.USAGE, Exit.CONFIGURATION, Exit.DATA_FOLDER, Exit.PORT_IN_USE, Exit.DISAGREEMENT);

    @Override
    public Process start() throws IOException {
        ClusterFile cluster = folder.file();
        NodeFiles.write(folder.settings(), cluster, cluster.member(name).orElseThrow());
        return NodeLauncher.start(folder.settings(), name);
    }

    @Override
    public Path log() {
        return folder.settings().log(name);
    }

    @Override
    public Optional<Exit> hopeless(int exitCode) {
        return INCURABLE.stream().filter(exit -> exit.number() == exitCode).findFirst();
    }
}
