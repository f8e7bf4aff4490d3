package dev.baton.bench.postgres;

import com.fasterxml.jackson.databind.JsonNode;
import dev.baton.bench.tokens.JavaProgram;
import dev.baton.node.NodeMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Machines with a node of Baton each, over Raft. */
final class BatonMachines extends Machines {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    BatonMachines(Path folder, String mode) throws IOException {
        super(folder, PATIENCE);
        Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        for (Places machine : all()) {
            cables.lay(machine.name(), List.of(machine.grpc(), machine.raft()), machine.postgres(), callers);
            Files.createDirectories(folder.resolve(machine.name()));
            Files.writeString(config(machine.name()), NodeYaml.of(machine, all(), mode));
        }
    }

    private Path config(String name) {
        return folder.resolve(name + ".yaml");
    }

    @Override
    Path data(String name) {
        return folder.resolve(name).resolve("postgres").resolve("data");
    }

    @Override
    Process launch(String name) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(JavaProgram.ownCommand(
                        List.of("-XX:TieredStopAtLevel=1", "-Xmx128m"),
                        NodeMain.class.getName(),
                        List.of(config(name).toString())))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()));
        builder.environment().put("CLASSPATH", JavaProgram.ownClassPath());
        return builder.start();
    }

    @Override
    boolean warmsUp() {
        return true;
    }

    @Override
    void switchOver(String from, String to) throws IOException, InterruptedException {
        demand(at(from).admin(), "/switchover?to=" + to, "");
    }

    @Override
    Optional<String> primaryIfCalm() throws InterruptedException {
        String primary = null;
        int streaming = 0;
        for (String name : NAMES) {
            Optional<JsonNode> cluster = ask(name, "/cluster");
            if (cluster.isEmpty() || cluster.get().path("complete").size() < 2 || isFenced(name)) {
                return Optional.empty();
            }
            JsonNode member = cluster.get().path("member");
            if (member.path("role").asText().equals("primary")) {
                primary = name;
            } else if (member.path("state").asText().equals("streaming")) {
                streaming++;
            }
        }
        return streaming == NAMES.size() - 1 ? Optional.ofNullable(primary) : Optional.empty();
    }

    private boolean isFenced(String name) throws InterruptedException {
        return ask(name, "/explain")
                .filter(page -> page.path("standing").asText().equals("FENCED"))
                .isPresent();
    }

    @Override
    Optional<String> completeStandby(String primary) throws InterruptedException {
        return ask(primary, "/cluster").flatMap(cluster -> {
            for (JsonNode name : cluster.path("complete")) {
                if (!name.asText().equals(primary)) {
                    return Optional.of(name.asText());
                }
            }
            return Optional.empty();
        });
    }

    @Override
    String explanation(String name) {
        try {
            return ask(name, "/explain")
                    .map(page -> page.path("standing").asText() + ", "
                            + page.path("explain").asText())
                    .orElse("no answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "not asked";
        }
    }
}
