package dev.baton.chaos.workload;

import dev.baton.chaos.cluster.NodeFacts;
import dev.baton.chaos.cluster.SeatYaml;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Blocks: clients hand transactions in, readers follow every node. */
final class SequencerKind implements DutyKind {

    static final String SEAT = "blocks";

    private static final int CLIENTS = 4;

    @Override
    public String name() {
        return "sequencer";
    }

    @Override
    public String seat() {
        return SEAT;
    }

    @Override
    public String seats(NodeFacts node) {
        return blocks(node);
    }

    /** The seat itself, for whoever needs blocks beside something else. */
    static String blocks(NodeFacts node) {
        StringBuilder yaml = SeatYaml.seat(SEAT, "sequencer")
                .append("    sequencer:\n      da:\n        folder: ../da\n      signers:\n");
        node.publicKeys()
                .forEach((name, key) -> yaml.append("        ")
                        .append(name)
                        .append(": \"")
                        .append(key)
                        .append("\"\n"));
        return yaml.toString();
    }

    @Override
    public List<Client> clients(Scene scene, long seed) {
        List<Client> clients = new ArrayList<>();
        for (int i = 1; i <= CLIENTS; i++) {
            clients.add(new Submitter("c" + i, seed, scene));
        }
        return clients;
    }

    @Override
    public List<Runnable> onlookers(Scene scene, String node) {
        return List.of(() -> new Onlookers(scene).read(node));
    }

    @Override
    public void takeStock(Scene scene, String node) throws IOException, InterruptedException {
        BlockReader.takeStore(scene, node);
    }
}
