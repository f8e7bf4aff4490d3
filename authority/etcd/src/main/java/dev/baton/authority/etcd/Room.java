package dev.baton.authority.etcd;

import io.etcd.jetcd.api.StatusResponse;
import java.util.List;
import java.util.OptionalLong;

/**
 * How much of its room one member of etcd has used.
 *
 * @param bytes the size of its database, empty parts counted: that is what etcd compares with the quota
 * @param quotaBytes its {@code --quota-backend-bytes}, if it tells: etcd does from 3.6 on
 * @param isFull whether the alarm NOSPACE is on, so that etcd refuses what needs room
 */
public record Room(String member, long bytes, OptionalLong quotaBytes, boolean isFull) {

    /** {@code StatusResponse.dbSizeQuota}, which is younger than the API that we are compiled with. */
    static final int QUOTA_FIELD = 12;

    static Room of(String member, StatusResponse status) {
        List<Long> quota = status.getUnknownFields().getField(QUOTA_FIELD).getVarintList();
        boolean isTold = !quota.isEmpty() && quota.getLast() > 0;
        return new Room(
                member,
                status.getDbSize(),
                isTold ? OptionalLong.of(quota.getLast()) : OptionalLong.empty(),
                status.getErrorsList().stream().anyMatch(error -> error.contains("NOSPACE")));
    }
}
