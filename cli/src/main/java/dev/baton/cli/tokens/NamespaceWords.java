package dev.baton.cli.tokens;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.baton.cli.Json;
import dev.baton.cli.TextTable;
import dev.baton.wire.tokens.v1.Guarantee;
import dev.baton.wire.tokens.v1.Namespace;
import java.util.List;
import java.util.Locale;

/** Namespaces as they are shown. */
final class NamespaceWords {

    private NamespaceWords() {}

    static ObjectNode json(List<Namespace> namespaces, long height) {
        ObjectNode json = Json.object().put("height", height);
        ArrayNode list = json.putArray("namespaces");
        for (Namespace namespace : namespaces) {
            list.addObject()
                    .put("name", namespace.getName())
                    .put("guarantee", namespace.getGuarantee().name())
                    .put("start", namespace.getStart())
                    .put("step", namespace.getStep())
                    .put("ceiling", namespace.getCeiling())
                    .put("maxCount", namespace.getMaxCount())
                    .put("frozen", namespace.getFrozen())
                    .put("next", namespace.getNext())
                    .put("reserved", namespace.getReserved())
                    .put("createdHeight", namespace.getCreatedHeight())
                    .put("shards", namespace.getShards());
        }
        return json;
    }

    static List<String> lines(List<Namespace> namespaces) {
        if (namespaces.isEmpty()) {
            return List.of("no namespace yet");
        }
        TextTable table = new TextTable("NAMESPACE", "GUARANTEE", "NEXT", "STEP", "COVERED", "STATE");
        for (Namespace namespace : namespaces) {
            table.row(
                    namespace.getName(),
                    guarantee(namespace.getGuarantee()),
                    namespace.getNext() == 0 ? "-" : namespace.getNext(),
                    namespace.getStep(),
                    namespace.getReserved(),
                    state(namespace));
        }
        return table.lines();
    }

    private static String guarantee(Guarantee guarantee) {
        return guarantee.name().toLowerCase(Locale.ROOT);
    }

    private static String state(Namespace namespace) {
        if (namespace.getFrozen()) {
            return "frozen";
        }
        return namespace.getNext() == 0 ? "exhausted" : "open";
    }
}
