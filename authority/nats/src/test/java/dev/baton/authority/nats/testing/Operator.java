package dev.baton.authority.nats.testing;

import io.nats.client.NKey;
import io.nats.client.support.JsonSerializable;
import io.nats.client.support.JwtUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;

/** What {@code nsc} makes: an operator, an account with JetStream and one for the system, and users of the first. */
public final class Operator {

    private static final String UNLIMITED = "{\"limits\":{\"subs\":-1,\"data\":-1,\"payload\":-1,\"imports\":-1,"
            + "\"exports\":-1,\"wildcards\":true,\"conn\":-1,\"leaf\":-1%s},\"type\":\"account\",\"version\":2}";
    private static final String STORAGE = ",\"mem_storage\":-1,\"disk_storage\":-1,\"streams\":-1,\"consumer\":-1";

    private final SecureRandom random = new SecureRandom();
    private final NKey operator = NKey.createOperator(random);
    private final NKey account = NKey.createAccount(random);
    private final NKey system = NKey.createAccount(random);

    public Operator() throws GeneralSecurityException, IOException {}

    /** The lines for the configuration of a server that believes this operator. */
    public String configuration() throws GeneralSecurityException, IOException {
        return """
                operator: %s
                system_account: %s
                resolver: MEMORY
                resolver_preload: { %s: %s, %s: %s }
                """.formatted(
                        signed(operator, "{\"type\":\"operator\",\"version\":2}"),
                        name(system),
                        name(account),
                        signed(account, UNLIMITED.formatted(STORAGE)),
                        name(system),
                        signed(system, UNLIMITED.formatted("")));
    }

    /** A new user of the account, as a credentials file. */
    public Path user(Path file) throws GeneralSecurityException, IOException {
        NKey user = NKey.createUser(random);
        String token = JwtUtils.issueUserJWT(account, name(account), name(user));
        return Files.writeString(file, """
                -----BEGIN NATS USER JWT-----
                %s
                ------END NATS USER JWT------

                -----BEGIN USER NKEY SEED-----
                %s
                ------END USER NKEY SEED------
                """.formatted(token, new String(user.getSeed())));
    }

    private static String name(NKey key) throws GeneralSecurityException, IOException {
        return new String(key.getPublicKey());
    }

    private String signed(NKey about, String claim) throws GeneralSecurityException, IOException {
        JsonSerializable body = () -> claim;
        return JwtUtils.issueJWT(
                operator, name(about), "of a test", null, JwtUtils.currentTimeSeconds(), name(operator), body);
    }
}
