package dev.baton.authority.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.authority.Promotion;
import dev.baton.core.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A full disk tears the engine's record of its term and vote: the file has its name and nothing in it. Chaos found members
 * that did not start any more after that ({@code --authority raft --seed 1 --for 60s}).
 */
final class TornVotesTest {

    @TempDir
    private Path dir;

    @Test
    void aMemberThatHasForgottenItsVotesJoinsAgainUnderANewName() throws Exception {
        try (Group group = Group.of(3, dir, UnaryOperator.identity())) {
            Promotion.Elected elected = group.take(1);
            group.commit(1, elected, Bytes.utf8("one"));
            group.stop(3);
            tear(group.folder(3));

            group.start(3);

            group.commit(1, elected, Bytes.utf8("two"));
            group.awaitHeight(3, 2);
            assertThat(group.member(1).members())
                    .hasSize(3)
                    .extracting(RaftAuthority.Member::name)
                    .as("it could vote twice under its old name")
                    .anyMatch(name -> name.startsWith("n3."));
            assertThat(group.folder(3).resolve("lost")).doesNotExist();

            group.stop(3);
            group.start(3); // as anybody does
            group.commit(1, elected, Bytes.utf8("three"));
            group.awaitHeight(3, 3);
        }
    }

    /** Whoever is interrupted while it begins anew must not go on as the member that it was, or as a blank one. */
    @Test
    void oneThatWasInterruptedGoesOnBeginningAnew() throws Exception {
        try (Group group = Group.of(3, dir, UnaryOperator.identity())) {
            Promotion.Elected elected = group.take(1);
            group.commit(1, elected, Bytes.utf8("one"));
            group.stop(3);
            tear(group.folder(3));
            try (MemberStorage storage = MemberStorage.open(group.settings(3))) {
                storage.beginAnew();
            }

            group.start(3);

            group.commit(1, elected, Bytes.utf8("two"));
            group.awaitHeight(3, 2);
            assertThat(group.member(1).members())
                    .extracting(RaftAuthority.Member::name)
                    .anyMatch(name -> name.startsWith("n3."));
        }
    }

    /** There is nobody who could take it in: only an operator can say what is to become of its data. */
    @Test
    void aMemberOfItsOwnIsRefused() throws Exception {
        try (Group group = Group.of(1, dir, UnaryOperator.identity())) {
            group.take(1);
            group.stop(1);
            tear(group.folder(1));

            assertThatThrownBy(() -> group.start(1))
                    .isInstanceOf(StartFailedException.class)
                    .hasMessageContaining("raft-meta");
        }
    }

    private static void tear(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            Path record =
                    files.filter(file -> file.endsWith("raft-meta")).findFirst().orElseThrow();
            Files.writeString(record, "#");
        }
    }
}
