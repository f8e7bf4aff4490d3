package dev.baton.authority.etcd.testing;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate authority for one test, made with the JDK's own keytool, and one certificate for everybody. */
public final class Certificates {

    private static final String PASSWORD = "changeit";

    private final Path dir;

    public Certificates(Path dir) throws Exception {
        this.dir = Files.createDirectories(dir);
        keytool("-genkeypair", "-alias", "ca", "-dname", "CN=ca", "-ext", "bc:c", "-keystore", store("ca"));
        keytool("-genkeypair", "-alias", "node", "-dname", "CN=node", "-keystore", store("node"));
        keytool("-certreq", "-alias", "node", "-keystore", store("node"), "-file", path("node.csr"));
        keytool(
                "-gencert",
                "-alias",
                "ca",
                "-keystore",
                store("ca"),
                "-infile",
                path("node.csr"),
                "-outfile",
                path("node.der"),
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-ext",
                "eku=serverAuth,clientAuth");
        writePems();
    }

    public Path key() {
        return dir.resolve("node.key");
    }

    public Path certificate() {
        return dir.resolve("node.crt");
    }

    public Path authority() {
        return dir.resolve("ca.crt");
    }

    private void writePems() throws Exception {
        pem(
                "node.key",
                "PRIVATE KEY",
                load("node").getKey("node", PASSWORD.toCharArray()).getEncoded());
        pem("node.crt", "CERTIFICATE", Files.readAllBytes(dir.resolve("node.der")));
        pem("ca.crt", "CERTIFICATE", load("ca").getCertificate("ca").getEncoded());
    }

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    private String store(String name) {
        return path(name + ".p12");
    }

    private KeyStore load(String name) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(store(name)))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private void pem(String file, String kind, byte[] der) throws Exception {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(der);
        Files.writeString(
                dir.resolve(file), "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", PASSWORD, "-storetype", "PKCS12"));
        if (List.of(arguments).contains("-genkeypair")) {
            command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2"));
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("keytool.log").toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("keytool failed: " + Files.readString(dir.resolve("keytool.log")));
        }
    }
}
