package dev.baton.authority.raft;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Our settings in the engine's words, and why each differs from the engine's default. */
final class EngineProperties {

    /** What a command and a log entry add around a ledger entry, generously. */
    static final int ENTRY_OVERHEAD = 64 << 10;

    /** A leader that lost its majority may stand again after this; by default it sits out ten seconds. */
    private static final Duration SIT_OUT = Duration.ofMillis(500);

    private final RaftSettings settings;

    EngineProperties(RaftSettings settings) {
        this.settings = settings;
    }

    /** The size of a log segment; the newest one or two are never purged. */
    static long segmentBytes(RaftSettings.Limits limits) {
        return Math.max(2L << 20, 2L * (limits.entryBytes() + ENTRY_OVERHEAD));
    }

    RaftProperties server(MemberStorage storage) {
        RaftProperties p = new RaftProperties();
        RaftConfigKeys.Rpc.setType(p, SupportedRpcType.GRPC);
        RaftServerConfigKeys.setStorageDir(p, List.of(storage.engine().toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(p, storage.removed().toFile());
        URI listen = URI.create("raft://" + settings.listenAddress());
        GrpcConfigKeys.Server.setHost(p, listen.getHost());
        GrpcConfigKeys.Server.setPort(p, listen.getPort());
        times(p);
        sizes(p);
        snapshots(p);
        // A record of the commit index after each commit, which doubles the writes. Raft never relies on a stored
        // commit index: after a restart the next leader's first entry commits everything before it, and until then a
        // member merely shows less. So it only helps to read what a dead majority had committed.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(p, false);
        return p;
    }

    private void times(RaftProperties p) {
        Duration min = settings.times().electionMin();
        Duration max = settings.times().electionMax();
        if (settings.isSingle()) {
            // Nobody else stands, so nothing is gained by waiting: a new term takes no longer than this.
            min = Duration.ofMillis(20);
            max = Duration.ofMillis(60);
        }
        RaftServerConfigKeys.Rpc.setTimeoutMin(p, time(min));
        RaftServerConfigKeys.Rpc.setTimeoutMax(p, time(max));
        // At the start there is no leader to be patient with.
        Duration first = max.compareTo(Duration.ofMillis(300)) < 0 ? max : Duration.ofMillis(300);
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, time(first.dividedBy(5)));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, time(first));
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(p, time(SIT_OUT));
        // Every request has a call id of its own, so nothing is ever answered from this cache.
        RaftServerConfigKeys.RetryCache.setExpiryTime(p, TimeDuration.valueOf(5, TimeUnit.SECONDS));
    }

    private void sizes(RaftProperties p) {
        // The appender's limit is also the largest entry, and a larger one would depose the leader (callers check).
        long appender = settings.limits().entryBytes() + (long) ENTRY_OVERHEAD;
        long pending = Math.max(8L << 20, 4 * appender);
        RaftServerConfigKeys.Log.setSegmentSizeMax(p, size(segmentBytes(settings.limits())));
        RaftServerConfigKeys.Log.setPreallocatedSize(p, size(64 << 10));
        RaftServerConfigKeys.Log.setWriteBufferSize(p, size(appender + ENTRY_OVERHEAD));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(p, 2);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(p, size(2 * segmentBytes(settings.limits())));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, size(appender));
        RaftServerConfigKeys.Log.setQueueByteLimit(p, size(pending));
        RaftServerConfigKeys.Write.setByteLimit(p, size(pending));
    }

    private void snapshots(RaftProperties p) {
        // Not by the engine, which would let nothing be applied meanwhile.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, false);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(p, 2);
        // Not held back by the slowest member, or a dead one would fill everybody's disk.
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, true);
        RaftServerConfigKeys.Log.setPurgeGap(p, 1);
    }

    /** For requests from member to member. */
    RaftProperties client() {
        RaftProperties p = new RaftProperties();
        RaftConfigKeys.Rpc.setType(p, SupportedRpcType.GRPC);
        return p;
    }

    /** The certificates, for both directions. */
    Parameters parameters() {
        Parameters parameters = new Parameters();
        settings.tls()
                .ifPresent(files -> GrpcConfigKeys.TLS.setConf(
                        parameters,
                        new GrpcTlsConfig(
                                files.key().toFile(),
                                files.certificate().toFile(),
                                files.authority().toFile(),
                                true)));
        return parameters;
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static SizeInBytes size(long bytes) {
        return SizeInBytes.valueOf(bytes);
    }
}
