package dev.baton.authority.nats;

import dev.baton.authority.Noticeboard;
import dev.baton.authority.nats.wire.Answer;
import dev.baton.authority.nats.wire.Bound;
import dev.baton.authority.nats.wire.Reply;
import dev.baton.authority.nats.wire.Servers;
import dev.baton.core.Bytes;
import dev.baton.core.ClusterId;
import dev.baton.core.NodeId;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of a cluster in a stream of their own, one subject and one message for each.
 *
 * <p>In memory: who comes back after the servers have been down announces itself again within a second.
 */
final class PresenceStream implements Noticeboard {

    /** So long a notice stays up without a new one. */
    static final Duration STAYS = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(PresenceStream.class);
    private static final String API = "$JS.API.STREAM.";

    private final String stream;
    private final String subjects;
    private final int replicas;
    private final Servers servers;
    private final AtomicBoolean made = new AtomicBoolean();
    private final AtomicBoolean complained = new AtomicBoolean();

    PresenceStream(ClusterId cluster, int replicas, Servers servers) {
        this.stream = "baton_" + cluster + "_presence"; // a seat's stream has one part more
        this.subjects = "baton.presence." + cluster + ".";
        this.replicas = replicas;
        this.servers = servers;
    }

    private StreamConfiguration configuration() {
        return StreamConfiguration.builder()
                .name(stream)
                .description("Baton: presence of nodes")
                .subjects(subjects + "*")
                .maxMessagesPerSubject(1)
                .maxAge(STAYS)
                .discardPolicy(DiscardPolicy.Old)
                .storageType(StorageType.Memory)
                .replicas(replicas)
                .allowDirect(false)
                .build();
    }

    @Override
    public boolean post(NodeId node, Bytes text) {
        Bound by = servers.bound();
        Reply<Answer> reply = made.get() ? publish(node, text, by) : make(by);
        if (reply instanceof Reply.Got && !made.getAndSet(true)) {
            reply = publish(node, text, by);
        }
        boolean well = reply instanceof Reply.Got;
        made.set(well); // it may be gone, and is made again before the next notice
        if (!well && complained.compareAndSet(false, true)) {
            LOG.warn("{}: presence is not told there: {}", stream, Reply.trouble(reply));
        } else if (well) {
            complained.set(false);
        }
        return well;
    }

    private Reply<Answer> make(Bound by) {
        return servers.ask(API + "CREATE." + stream, configuration().toJson(), by);
    }

    private Reply<Answer> publish(NodeId node, Bytes text, Bound by) {
        return servers.ask(subjects + node, new Headers(), text.toArray(), by);
    }

    /** Only once an own notice is up: a server of 2.9.10 that is asked about a stream which it is just making crashes. */
    @Override
    public List<Notice> read() {
        if (!made.get()) {
            return List.of();
        }
        List<Notice> notices = new ArrayList<>();
        Bound by = servers.bound();
        long from = 1;
        while (servers.ask(
                        API + "MSG.GET." + stream, "{\"seq\":" + from + ",\"next_by_subj\":\"" + subjects + "*\"}", by)
                instanceof Reply.Got<Answer> got) {
            MessageInfo found = new MessageInfo(got.value().message(), stream, false);
            byte[] text = found.getData();
            notices.add(new Notice(found.getSeq(), text == null ? Bytes.EMPTY : Bytes.wrap(text)));
            from = found.getSeq() + 1;
        }
        return List.copyOf(notices);
    }
}
