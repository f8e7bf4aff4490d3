package dev.baton.cli.up;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;
import dev.baton.cli.Output;
import dev.baton.cli.cluster.NodeView;

/** One JSON line per block, and the verdict as the last; everything else belongs to people and stays away. */
final class JsonReporter implements Reporter {

    private final Output output;

    JsonReporter(Output output) {
        this.output = output;
    }

    @Override
    public void block(SeenBlock block) {
        output.json(block.toJson());
    }

    @Override
    public void standing(NodeView before, NodeView now) {}

    @Override
    public void event(String what) {}

    @Override
    public void verdict(ChainObserver.Tally tally) {
        ObjectNode json = Json.object();
        json.put("verdict", tally.passed() ? "PASS" : "FAIL").put("blocks", tally.blocks());
        json.put("forks", tally.forks()).put("gaps", tally.gaps()).put("terms", tally.terms());
        if (!tally.findings().isEmpty()) {
            ArrayNode findings = json.putArray("findings");
            tally.findings().forEach(findings::add);
        }
        output.json(json);
    }

    @Override
    public void close() {}
}
