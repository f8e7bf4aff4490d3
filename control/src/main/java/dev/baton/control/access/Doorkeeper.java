package dev.baton.control.access;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Judges who asks, at each call anew: what trust and policy say now counts, not what they said when the connection began.
 *
 * <p>INV-19: no call is let in unless its certificate is believed now, the policy knows one of its names, and that
 * name's role has the call. The handshake has proven that the client holds the certificate's key; everything else is
 * decided here, so that each refusal has the published status and stands in the audit.
 */
public final class Doorkeeper {

    private static final int URI = 6;
    private static final int DNS = 2;
    private static final int MAIL = 1;

    private final Optional<Supplier<Trust>> trust;
    private final Supplier<Policy> policy;

    /** Without trust there are no certificates: only for a listener on the loopback address. */
    public Doorkeeper(Optional<Supplier<Trust>> trust, Supplier<Policy> policy) {
        this.trust = trust;
        this.policy = policy;
    }

    /** What the doorkeeper says. */
    public sealed interface Verdict {
        record Known(Caller caller) implements Verdict {}

        /** What is known of the stranger is in {@code identity} and {@code certificate}, for the record. */
        record Stranger(String identity, String certificate, String from, String why) implements Verdict {}
    }

    public Verdict judge(List<X509Certificate> chain, String from) {
        if (trust.isEmpty()) {
            return policy.get()
                    .roleOf(Policy.LOOPBACK)
                    .<Verdict>map(role -> new Verdict.Known(new Caller(Policy.LOOPBACK, role, "", from)))
                    .orElseGet(() -> new Verdict.Stranger(
                            Policy.LOOPBACK, "", from, "the policy has no identity \"" + Policy.LOOPBACK + "\""));
        }
        if (chain.isEmpty()) {
            return new Verdict.Stranger(
                    "", "", from, "no client certificate (expected: one of an authority in control.tls.trust)");
        }
        X509Certificate leaf = chain.getFirst();
        String print = fingerprint(leaf);
        Optional<List<String>> names = names(leaf);
        String shown = names.map(list -> String.join(", ", list)).orElse("");
        Optional<String> objection = trust.get().get().objection(chain);
        if (objection.isPresent()) {
            return new Verdict.Stranger(shown, print, from, objection.get());
        }
        for (String name : names.orElse(List.of())) {
            Optional<Role> role = policy.get().roleOf(name);
            if (role.isPresent()) {
                return new Verdict.Known(new Caller(name, role.get(), print, from));
            }
        }
        return new Verdict.Stranger(
                shown,
                print,
                from,
                "none of the certificate's names (" + shown + ") is in the policy (expected: a subject alternative name"
                        + " that stands under identities)");
    }

    public boolean allows(Caller caller, Call call) {
        return policy.get().allows(caller.role(), call);
    }

    private static Optional<List<String>> names(X509Certificate certificate) {
        try {
            Collection<List<?>> found = certificate.getSubjectAlternativeNames();
            return found == null
                    ? Optional.empty()
                    : Optional.of(found.stream()
                            .filter(name ->
                                    name.get(0) instanceof Integer kind && (kind == URI || kind == DNS || kind == MAIL))
                            .map(name -> String.valueOf(name.get(1)))
                            .toList());
        } catch (CertificateParsingException e) {
            return Optional.empty();
        }
    }

    private static String fingerprint(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
            return "";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
