package dev.baton.bench.peers;

import dev.baton.bench.load.AsyncCall;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One put for each number, as published: the key of the namespace gets the new value.
 *
 * <p>The published design reads the key first and puts afterwards, which hands a number out twice if two do so at once.
 * Here only the put is made, and any number of them at once: it is the fastest that this design can be.
 */
final class EtcdPuts implements Peer {

    /** One connection is one thread of the library; more are no faster on few cores, but neither shall they be missing. */
    private static final int CONNECTIONS = 4;

    private static final ByteSequence KEY = ByteSequence.from("seq:bench", StandardCharsets.UTF_8);

    private final List<Client> clients = new ArrayList<>();
    private final AtomicLong next = new AtomicLong();

    EtcdPuts(String endpoints) {
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(Client.builder().endpoints(endpoints.split(",")).build());
        }
    }

    @Override
    public AsyncCall caller(int index) {
        var kv = clients.get(index % CONNECTIONS).getKVClient();
        return () -> kv.put(KEY, ByteSequence.from(Long.toString(next.incrementAndGet()), StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        clients.forEach(Client::close);
    }
}
