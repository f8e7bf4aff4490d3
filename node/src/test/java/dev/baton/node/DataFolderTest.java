package dev.baton.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.core.ClusterId;
import dev.baton.core.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    @TempDir
    Path data;

    private DataFolder open(String cluster, String node) throws NodeFailure {
        return DataFolder.open(data, new ClusterId(cluster), new NodeId(node));
    }

    private NodeFailure refused(String cluster, String node) {
        NodeFailure failure = catchThrowableOfType(NodeFailure.class, () -> open(cluster, node));
        assertThat(failure).as("the folder is refused").isNotNull();
        assertThat(failure.code()).isEqualTo(ExitCode.DATA_FOLDER);
        return failure;
    }

    @Test
    void theSameNodeComesBack() throws Exception {
        open("demo", "n1").close();

        open("demo", "n1").close();

        assertThat(data.resolve("identity")).content().contains("\"format\" : 1", "\"demo\"", "\"n1\"");
    }

    @Test
    void anotherClustersFolderIsRefused() throws Exception {
        open("demo", "n1").close();

        assertThat(refused("prod", "n1")).hasMessageContaining("belongs to cluster \"demo\"");
    }

    @Test
    void anotherNodesFolderIsRefused() throws Exception {
        open("demo", "n1").close();

        assertThat(refused("demo", "n2")).hasMessageContaining("belongs to node \"n1\"");
    }

    @Test
    void aNewerFormatIsRefused() throws Exception {
        open("demo", "n1").close();
        Path identity = data.resolve("identity");
        Files.writeString(identity, Files.readString(identity).replace("\"format\" : 1", "\"format\" : 2"));

        assertThat(refused("demo", "n1"))
                .hasMessageContaining("has format 2")
                .hasMessageContaining("format 1 or older");
    }

    @Test
    void aFolderInUseByThisProcessIsRefused() throws Exception {
        try (DataFolder held = open("demo", "n1")) {
            assertThat(refused("demo", "n1"))
                    .hasMessageContaining(
                            "in use by process " + ProcessHandle.current().pid());
            assertThat(held.path()).isEqualTo(data);
        }
        open("demo", "n1").close();
    }

    @Test
    void aFolderInUseByAnotherProcessIsRefused() throws Exception {
        Process other = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HoldFolder.class.getName(),
                        data.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("held");

            assertThat(refused("demo", "n1")).hasMessageContaining("in use by process " + other.pid());
        } finally {
            other.destroy();
            assertThat(other.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
        open("demo", "n1").close();
    }

    /** The system takes a process's lock away when that process closes any channel of the file, one to look only, too. */
    @Test
    void whoIsRefusedInThisProcessDoesNotGiveTheFolderToAnother() throws Exception {
        try (DataFolder held = open("demo", "n1")) {
            assertThat(refused("demo", "n1")).hasMessageContaining("in use");
            Path link = Files.createSymbolicLink(data.resolveSibling(data.getFileName() + "-link"), data);
            try {
                assertThat(catchThrowableOfType(
                                NodeFailure.class,
                                () -> DataFolder.open(link, new ClusterId("demo"), new NodeId("n1"))))
                        .hasMessageContaining("in use");
            } finally {
                Files.delete(link);
            }

            assertThat(inAnotherProcess())
                    .contains("in use by process " + ProcessHandle.current().pid());
            held.close();
            assertThat(inAnotherProcess()).isEqualTo("taken");
        }
    }

    private String inAnotherProcess() throws Exception {
        Process other = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TakeFolder.class.getName(),
                        data.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return other.inputReader().readLine();
        } finally {
            other.destroy();
            assertThat(other.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Takes a folder if it can. */
    static final class TakeFolder {
        private TakeFolder() {}

        public static void main(String[] arguments) {
            try (DataFolder taken = DataFolder.open(Path.of(arguments[0]), new ClusterId("demo"), new NodeId("n1"))) {
                System.out.println(taken.path().equals(Path.of(arguments[0])) ? "taken" : "another");
            } catch (NodeFailure e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** Holds a folder until it is killed. */
    static final class HoldFolder {
        private HoldFolder() {}

        public static void main(String[] arguments) throws NodeFailure, IOException {
            DataFolder.open(Path.of(arguments[0]), new ClusterId("demo"), new NodeId("n1"));
            System.out.println("held");
            System.in.read();
        }
    }
}
