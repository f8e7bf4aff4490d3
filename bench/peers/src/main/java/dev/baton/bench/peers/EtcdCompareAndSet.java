package dev.baton.bench.peers;

import dev.baton.bench.load.AsyncCall;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What the published design would have to do to be safe: put only if nobody has put since it was read, and else try
 * again with what is there now, which the refusal itself brings along.
 */
final class EtcdCompareAndSet implements Peer {

    private static final ByteSequence KEY = ByteSequence.from("cas:bench", StandardCharsets.UTF_8);

    private final Client client;
    private final KV kv;

    EtcdCompareAndSet(String endpoints) {
        client = Client.builder().endpoints(endpoints.split(",")).build();
        kv = client.getKVClient();
    }

    /** What a caller believes to be there. */
    private record Known(long value, long modRevision) {

        static final Known NOTHING = new Known(0, 0);

        static Known of(KeyValue there) {
            return new Known(Long.parseLong(there.getValue().toString(StandardCharsets.UTF_8)), there.getModRevision());
        }
    }

    @Override
    public AsyncCall caller(int index) {
        return new Caller();
    }

    private final class Caller implements AsyncCall {

        private volatile Known known = Known.NOTHING;

        @Override
        public CompletionStage<?> ask() {
            return attempt();
        }

        private CompletableFuture<Long> attempt() {
            Known now = known;
            long wanted = now.value() + 1;
            return kv.txn()
                    .If(new Cmp(KEY, Cmp.Op.EQUAL, CmpTarget.modRevision(now.modRevision())))
                    .Then(Op.put(
                            KEY, ByteSequence.from(Long.toString(wanted), StandardCharsets.UTF_8), PutOption.DEFAULT))
                    .Else(Op.get(KEY, GetOption.DEFAULT))
                    .commit()
                    .thenCompose(answer -> settle(answer, wanted));
        }

        private CompletableFuture<Long> settle(TxnResponse answer, long wanted) {
            if (answer.isSucceeded()) {
                known = new Known(wanted, answer.getHeader().getRevision());
                return CompletableFuture.completedFuture(wanted);
            }
            List<KeyValue> there = answer.getGetResponses().getFirst().getKvs();
            known = there.isEmpty() ? Known.NOTHING : Known.of(there.getFirst());
            return attempt();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
