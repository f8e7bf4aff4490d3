package dev.baton.node;

import dev.baton.core.Entry;
import dev.baton.duty.DecoratedDuty;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.util.List;

/** A duty whose entries are noted once it has taken them in: all of them come by here, its own and those of others. */
final class FollowedDuty extends DecoratedDuty {

    private final Followed followed;

    FollowedDuty(Duty duty, Followed followed) {
        super(duty);
        this.followed = followed;
    }

    @Override
    public void apply(List<Entry> entries) throws Exception {
        super.apply(entries);
        entries.forEach(followed::take);
    }

    @Override
    public void release(Tenure tenure, Entry entry) throws Exception {
        super.release(tenure, entry);
        followed.take(entry);
    }
}
