package dev.baton.cli.up;

import dev.baton.cli.Durations;
import dev.baton.cli.Exit;
import dev.baton.cli.cluster.ClusterFile.Member;
import dev.baton.control.seal.ClusterKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sequencer process beside one node. */
record SequencerProgram(ClusterFolder folder, Member beside) implements Program {

    /** On the port that the node keeps for its duty. */
    static String address(Member member) {
        return "127.0.0.1:" + member.ports().duty();
    }

    @Override
    public String name() {
        return "sequencer-" + beside.node();
    }

    @Override
    public Process start() throws IOException {
        UpSettings settings = folder.settings();
        Files.createDirectories(settings.folder(name()));
        ClusterKey.createIfAbsent(settings.data().resolve(NodeFiles.CLUSTER_KEY)); // the nodes are started later
        List<String> arguments = new ArrayList<>(List.of("sequencer", "--until-input-ends"));
        arguments.addAll(List.of("--data", NodeLauncher.absolute(settings.folder(name()))));
        arguments.addAll(List.of("--key", NodeLauncher.absolute(settings.data().resolve(NodeFiles.CLUSTER_KEY))));
        arguments.addAll(List.of("--listen", address(beside)));
        arguments.addAll(List.of("--block-interval", Durations.exact(settings.interval())));
        folder.file().nodes().stream()
                .filter(member -> !member.node().equals(beside.node()))
                .forEach(member -> arguments.addAll(List.of("--follow", address(member))));
        return NodeLauncher.start(log(), arguments);
    }

    @Override
    public Path log() {
        return folder.settings().log(name());
    }

    @Override
    public Optional<Exit> hopeless(int exitCode) {
        return Optional.of(Exit.PORT_IN_USE).filter(exit -> exit.number() == exitCode);
    }
}
