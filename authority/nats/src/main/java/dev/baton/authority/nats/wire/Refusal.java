package dev.baton.authority.nats.wire;

/** Why JetStream refuses a request that reached it. */
public enum Refusal {
    /** The stream's last message is not the one that was expected. */
    WRONG_LAST_SEQUENCE(10071),
    NO_STREAM(10059),
    NO_MESSAGE(10037),
    /** A stream of that name exists, and is not what was asked for. */
    OTHER_CONFIGURATION(10058),
    /** Another stream collects that subject already. */
    OVERLAP(10065),
    /** The subject leads into another stream than the one that was named. */
    OTHER_STREAM(10060),
    /** Fewer servers than replicas. */
    TOO_FEW_SERVERS(10005),
    /** More than one replica on a server that has no cluster. */
    NO_CLUSTER(10074),
    /** The account has no JetStream. */
    NOT_ENABLED_FOR_ACCOUNT(10039),
    NOT_ENABLED(10076),
    TOO_LARGE(10054),
    OTHER(0);

    private final int code;

    Refusal(int code) {
        this.code = code;
    }

    static Refusal of(int code) {
        for (Refusal refusal : values()) {
            if (refusal.code == code) {
                return refusal;
            }
        }
        return OTHER;
    }
}
