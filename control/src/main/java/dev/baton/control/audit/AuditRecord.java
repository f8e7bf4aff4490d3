package dev.baton.control.audit;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * One thing that was asked, and what came of it.
 *
 * @param node where it was asked
 * @param sequence counts the records of that node, upwards but perhaps with gaps
 * @param at when, by that node's clock
 * @param who the identity that the certificate proved; what a stranger called itself, if it was refused
 * @param certificate its SHA-256 fingerprint
 * @param requester whom the caller says it acts for; proven by nothing
 * @param from the address that the connection came from
 * @param key the caller's idempotency key; empty if it gave none
 * @param outcome the gRPC status; {@link #BEGUN} before anything was changed, so that nothing can happen unrecorded
 * @param epoch the term that the node knew of, 0 if none
 * @param height the head that the node knew of
 * @param request SHA-256 of the request, so that a key is not used for two different ones
 * @param answer what was answered, in Base64, for a caller that asks again with the same key
 */
@JsonPropertyOrder({
    "node",
    "sequence",
    "at",
    "who",
    "role",
    "certificate",
    "requester",
    "from",
    "call",
    "seat",
    "reason",
    "key",
    "outcome",
    "detail",
    "epoch",
    "height",
    "request",
    "answer"
})
public record AuditRecord(
        String node,
        long sequence,
        String at,
        String who,
        String role,
        String certificate,
        String requester,
        String from,
        String call,
        String seat,
        String reason,
        String key,
        String outcome,
        String detail,
        long epoch,
        long height,
        String request,
        String answer) {

    /** The outcome of what is about to be done: what came of it is another record, or the process ended before it. */
    public static final String BEGUN = "BEGUN";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Longer texts of callers are cut: the book is no place to fill a disk from afar. */
    private static final int LONGEST_TEXT = 500;

    public AuditRecord {
        requester = cut(requester);
        reason = cut(reason);
        key = cut(key);
        detail = cut(detail);
        who = cut(who);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }

    /** What is asked again is recognised by who asked what with which key. */
    public String scope() {
        return scope(who, call, key);
    }

    public static String scope(String who, String call, String key) {
        return who + "\n" + call + "\n" + cut(key);
    }

    public boolean answersRetries() {
        return !key.isEmpty() && outcome.equals("OK");
    }

    AuditRecord numbered(String byNode, long number) {
        return new AuditRecord(
                byNode,
                number,
                at,
                who,
                role,
                certificate,
                requester,
                from,
                call,
                seat,
                reason,
                key,
                outcome,
                detail,
                epoch,
                height,
                request,
                answer);
    }

    /** On one line. */
    public String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of texts and numbers can be written", e);
        }
    }

    /** Reads what {@link #toJson} wrote; anything else is an {@link IllegalArgumentException}. */
    public static AuditRecord ofJson(String line) {
        try {
            AuditRecord read = JSON.readValue(line, AuditRecord.class);
            if (read == null || read.node() == null || read.call() == null || line.indexOf('\n') >= 0) {
                throw new IllegalArgumentException("not an audit record: " + line);
            }
            return read;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not an audit record: " + e.getOriginalMessage(), e);
        }
    }
}
