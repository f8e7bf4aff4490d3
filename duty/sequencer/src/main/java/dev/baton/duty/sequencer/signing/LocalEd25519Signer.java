package dev.baton.duty.sequencer.signing;

import dev.baton.core.Era;
import dev.baton.core.NodeId;
import dev.baton.duty.sequencer.block.Block;
import dev.baton.duty.sequencer.block.BlockSignature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Signs with an Ed25519 key that lies in a file only its owner can read. */
public final class LocalEd25519Signer implements BlockSigner {

    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final NodeId node;
    private final Era era;
    private final PrivateKey privateKey;
    private final PublicKey publicKey;

    private LocalEd25519Signer(NodeId node, Era era, PrivateKey privateKey, PublicKey publicKey) {
        this.node = node;
        this.era = era;
        this.privateKey = privateKey;
        this.publicKey = publicKey;
    }

    /**
     * Loads the key, or makes one if the file does not exist. The file holds two lines of Base64: the private key
     * (PKCS#8) and the public key (X.509), because the JDK cannot derive the second from the first.
     */
    public static LocalEd25519Signer loadOrCreate(NodeId node, Era era, Path file) throws IOException {
        if (!Files.exists(file)) {
            create(file);
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (!OWNER_ONLY.containsAll(permissions)) {
            throw new IOException("signing key " + file + ": mode " + PosixFilePermissions.toString(permissions)
                    + " (expected: rw-------, because whoever reads it can sign blocks; run chmod 600)");
        }
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
            if (lines.size() != 2) {
                throw new IllegalArgumentException(lines.size() + " lines");
            }
            PrivateKey privateKey = KeyFactory.getInstance(Ed25519.ALGORITHM)
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(lines.getFirst())));
            PublicKey publicKey = Ed25519.parsePublicKey(lines.getLast());
            LocalEd25519Signer signer = new LocalEd25519Signer(node, era, privateKey, publicKey);
            signer.probe();
            return signer;
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(
                    "signing key " + file + ": " + e.getMessage()
                            + " (expected: a private and a public Ed25519 key that belong together, one line of"
                            + " Base64 each; restore the file, or remove it to get a new key and tell the other"
                            + " nodes its public half)",
                    e);
        }
    }

    private static void create(Path file) throws IOException {
        try {
            KeyPair pair = KeyPairGenerator.getInstance(Ed25519.ALGORITHM).generateKeyPair();
            String text = Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded()) + "\n"
                    + Ed25519.toText(pair.getPublic()) + "\n";
            Path folder = file.toAbsolutePath().getParent();
            Files.createDirectories(folder);
            // Written aside and renamed, so that a crash leaves either no key or a whole one.
            Path aside = Files.createTempFile(
                    folder, file.getFileName().toString(), ".new", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            try (FileChannel out = FileChannel.open(aside, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK since 15 has Ed25519", e);
        }
    }

    public PublicKey publicKey() {
        return publicKey;
    }

    @Override
    public NodeId node() {
        return node;
    }

    @Override
    public BlockSignature sign(Block block) throws GeneralSecurityException {
        return new BlockSignature(node, Ed25519.sign(privateKey, SigningMessage.of(era, block.hash())));
    }

    @Override
    public void probe() throws GeneralSecurityException {
        if (!Ed25519.verifies(publicKey, SigningMessage.probe(), Ed25519.sign(privateKey, SigningMessage.probe()))) {
            throw new GeneralSecurityException("the two keys do not belong together");
        }
    }
}
