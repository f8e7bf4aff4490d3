package dev.baton.control.access;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which identity has which role, and which role may do what.
 *
 * @param identities roles by identity, as it stands in the certificate's subject alternative names
 * @param grants calls by role
 */
public record Policy(Map<String, Role> identities, Map<Role, Set<Call>> grants) {

    /** Who comes over the loopback address without a certificate, where that is allowed at all. */
    public static final String LOOPBACK = "loopback";

    /** What the roles may do unless a policy file says otherwise. */
    public static final Map<Role, Set<Call>> USUAL_GRANTS = Map.of(
            Role.OBSERVER, EnumSet.of(Call.HEALTH, Call.STATUS, Call.AUDIT),
            Role.OPERATOR,
                    EnumSet.of(
                            Call.HEALTH,
                            Call.STATUS,
                            Call.AUDIT,
                            Call.START,
                            Call.STOP,
                            Call.PREPARE,
                            Call.COMPLETE,
                            Call.MEND),
            Role.AGENT, EnumSet.of(Call.HEALTH, Call.STATUS, Call.START, Call.STOP, Call.COMPLETE),
            Role.BREAK_GLASS, EnumSet.allOf(Call.class));

    /** For a listener on the loopback address: whoever is on the machine steers, but breaks no glass. */
    public static final Policy LOCAL = new Policy(Map.of(LOOPBACK, Role.OPERATOR), USUAL_GRANTS);

    public Policy {
        identities = Map.copyOf(identities);
        grants = grants.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
    }

    public Optional<Role> roleOf(String identity) {
        return Optional.ofNullable(identities.get(identity));
    }

    public boolean allows(Role role, Call call) {
        return grants.getOrDefault(role, Set.of()).contains(call);
    }

    /** The same with other grants for the roles that are named. */
    static Policy of(Map<String, Role> identities, Map<Role, Set<Call>> named) {
        Map<Role, Set<Call>> grants = new HashMap<>(USUAL_GRANTS);
        grants.putAll(named);
        return new Policy(identities, grants);
    }
}
