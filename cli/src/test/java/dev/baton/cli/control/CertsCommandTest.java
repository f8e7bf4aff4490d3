package dev.baton.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.Cli;
import dev.baton.control.access.PolicyFile;
import dev.baton.control.access.Role;
import dev.baton.control.access.Trust;
import dev.baton.control.seal.ClusterKey;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertsCommandTest {

    @TempDir
    Path folder;

    private static X509Certificate read(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    @Test
    void theFilesFitTogetherAndNoKeyIsReadableForOthers() throws Exception {
        Path out = folder.resolve("certs");
        assertThat(Cli.run("certs", "--out", out.toString(), "--cluster", "demo")
                        .code())
                .isZero();

        Trust trust = Trust.read(out.resolve("ca.crt"));
        for (Role role : Role.values()) {
            assertThat(trust.objection(List.of(read(out.resolve(role.word() + ".crt")))))
                    .isEmpty();
            assertThat(PolicyFile.read(out.resolve("policy.yaml")).roleOf("baton://demo/" + role.word()))
                    .hasValue(role);
            assertThat(Files.getPosixFilePermissions(out.resolve(role.word() + ".key")))
                    .hasSize(2);
        }
        assertThat(ClusterKey.read(out.resolve("cluster.key"))).isNotNull();
        assertThat(out.resolve("ca.key")).doesNotExist();
    }

    @Test
    void anAuthorityIsNotReplacedByMistake() {
        Path out = folder.resolve("certs");
        assertThat(Cli.run("certs", "--out", out.toString()).code()).isZero();

        assertThat(Cli.run("certs", "--out", out.toString()).code()).isEqualTo(5);
    }
}
