package dev.baton.duty.sequencer.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.core.Era;
import dev.baton.core.Height;
import dev.baton.core.NodeId;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockSignature;
import dev.baton.duty.sequencer.fixture.Blocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalEd25519SignerTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final Block BLOCK = Blocks.chain(1).getFirst();

    @TempDir
    Path folder;

    private LocalEd25519Signer signer(NodeId node) throws IOException {
        return LocalEd25519Signer.loadOrCreate(node, Era.FIRST, folder.resolve(node + ".key"));
    }

    @Test
    void keyIsKeptForItsOwnerAloneAndFoundAgain() throws IOException {
        LocalEd25519Signer created = signer(A);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("a.key"))))
                .isEqualTo("rw-------");
        assertThat(signer(A).publicKey()).isEqualTo(created.publicKey());
        assertThat(Ed25519.parsePublicKey(Ed25519.toText(created.publicKey()))).isEqualTo(created.publicKey());
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void keyThatOthersCanReadIsRefused() throws IOException {
        signer(A);
        Files.setPosixFilePermissions(folder.resolve("a.key"), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> signer(A))
                .hasMessageContaining("mode rw-r--r--")
                .hasMessageContaining("chmod 600");
    }

    @Test
    void halvesOfDifferentKeysAreRefused() throws IOException {
        signer(A);
        signer(B);
        List<String> a = Files.readAllLines(folder.resolve("a.key"));
        List<String> b = Files.readAllLines(folder.resolve("b.key"));
        Files.write(folder.resolve("a.key"), List.of(a.getFirst(), b.getLast()));
        assertThatThrownBy(() -> signer(A)).hasMessageContaining("do not belong together");
        Files.writeString(folder.resolve("a.key"), "nonsense");
        assertThatThrownBy(() -> signer(A)).hasMessageContaining("restore the file");
    }

    @Test
    void signatureVerifiesForItsBlockSignerAndEraOnly() throws Exception {
        LocalEd25519Signer a = signer(A);
        BlockSignature signature = a.sign(BLOCK);
        KeyRing keys = KeyRing.of(Map.of(A, a.publicKey(), B, signer(B).publicKey()));
        BlockVerifier verifier = new BlockVerifier(Era.FIRST, keys);

        assertThat(verifier.fault(BLOCK, signature)).isEmpty();
        assertThat(verifier.fault(Blocks.after(BLOCK.asHead()), signature)).isPresent();
        assertThat(verifier.fault(BLOCK, new BlockSignature(B, signature.bytes())))
                .isPresent();
        assertThat(verifier.fault(BLOCK, Blocks.anySignature(BLOCK))).isPresent();
        assertThat(new BlockVerifier(new Era(2), keys).fault(BLOCK, signature)).isPresent();
        assertThat(new BlockVerifier(new Era(3), keys.withEarlierErasUpTo(BLOCK.height())).fault(BLOCK, signature))
                .isEmpty();
        assertThat(new BlockVerifier(
                                new Era(3),
                                keys.withEarlierErasUpTo(
                                        new Height(BLOCK.height().value() - 1)))
                        .fault(BLOCK, signature))
                .isPresent();
        assertThat(verifier.fault(BLOCK, new BlockSignature(new NodeId("c"), signature.bytes())))
                .hasValueSatisfying(fault -> assertThat(fault).contains("public key is not known here"));
    }
}
