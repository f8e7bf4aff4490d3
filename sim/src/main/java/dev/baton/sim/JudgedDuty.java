package dev.baton.sim;

import dev.baton.core.Entry;
import dev.baton.duty.DecoratedDuty;
import dev.baton.duty.Draft;
import dev.baton.duty.Duty;
import dev.baton.duty.Tenure;
import java.util.List;

/** A duty whose every step the judge sees. */
final class JudgedDuty extends DecoratedDuty {

    private final Judge judge;

    JudgedDuty(Duty duty, Judge judge) {
        super(duty);
        this.judge = judge;
    }

    @Override
    public void apply(List<Entry> entries) throws Exception {
        entries.forEach(judge::committed);
        super.apply(entries);
    }

    @Override
    public void assume(Tenure tenure) throws Exception {
        judge.assumed(tenure.term(), tenure.head());
        super.assume(tenure);
    }

    @Override
    public Draft draft(Tenure tenure) throws Exception {
        judge.acted(tenure.term());
        return super.draft(tenure);
    }

    @Override
    public void release(Tenure tenure, Entry entry) throws Exception {
        judge.released(tenure.term(), entry);
        super.release(tenure, entry);
    }
}
