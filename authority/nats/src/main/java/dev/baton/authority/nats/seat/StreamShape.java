package dev.baton.authority.nats.seat;

import dev.baton.authority.nats.NatsSettings;
import dev.baton.core.SeatId;
import dev.baton.core.timing.Fault;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How a seat's stream must be set up, and what is wrong with one that is not. */
public final class StreamShape {

    private final SeatId seat;
    private final SeatNames names;
    private final int replicas;

    public StreamShape(SeatId seat, int replicas) {
        this.seat = seat;
        this.names = SeatNames.of(seat);
        this.replicas = replicas;
    }

    /** Nothing is ever dropped but by a purge below a committed trim; and nobody reads from a replica that lags. */
    StreamConfiguration configuration() {
        return StreamConfiguration.builder()
                .name(names.stream())
                .description("Baton: seat " + seat)
                .subjects(names.subject())
                .retentionPolicy(RetentionPolicy.Limits)
                .discardPolicy(DiscardPolicy.New)
                .storageType(StorageType.File)
                .replicas(replicas)
                .denyDelete(true)
                .allowDirect(false)
                .build();
    }

    /** What stands against using this stream; an empty list lets it be used. */
    public List<Fault> faults(String prefix, StreamConfiguration found) {
        String key = prefix + "servers: stream " + names.stream();
        List<Fault> faults = new ArrayList<>();
        if (!found.getSubjects().equals(List.of(names.subject()))) {
            faults.add(new Fault(
                    key,
                    "subjects " + found.getSubjects(),
                    "[" + names.subject() + "]: this stream belongs to somebody else; give the cluster another name"));
        }
        if (found.getReplicas() < replicas) {
            faults.add(new Fault(
                    key,
                    "replicas: " + found.getReplicas(),
                    replicas + " or more: nats stream edit " + names.stream() + " --replicas " + replicas
                            + ", or lower " + prefix + "replicas"));
        }
        List<String> dropping = new ArrayList<>();
        if (found.getRetentionPolicy() != RetentionPolicy.Limits) {
            dropping.add("retention: " + found.getRetentionPolicy());
        }
        if (found.getStorageType() != StorageType.File) {
            dropping.add("storage: " + found.getStorageType());
        }
        if (found.getMaxMsgs() > 0 || found.getMaxMsgsPerSubject() > 0) {
            dropping.add("a limit of messages");
        }
        if (!found.getMaxAge().equals(Duration.ZERO)) {
            dropping.add("max age: " + found.getMaxAge());
        }
        if (found.getMaxBytes() > 0 && found.getDiscardPolicy() != DiscardPolicy.New) {
            dropping.add("discard: old");
        }
        if (found.getMirror() != null
                || (found.getSources() != null && !found.getSources().isEmpty())) {
            dropping.add("a mirror or sources");
        }
        if (found.getSealed() || found.getNoAck() || found.getDenyPurge()) {
            dropping.add("sealed, no-ack or deny-purge");
        }
        if (found.getMaximumMessageSize() > 0 && found.getMaximumMessageSize() < NatsSettings.MESSAGE_BYTES) {
            dropping.add("max message size: " + found.getMaximumMessageSize());
        }
        if (!dropping.isEmpty()) {
            faults.add(new Fault(
                    key,
                    String.join(", ", dropping),
                    "a stream as Baton makes it: limits retention without any limit, file storage, nothing mirrored;"
                            + " restore that configuration, or raise the seat's era"));
        }
        return List.copyOf(faults);
    }
}
