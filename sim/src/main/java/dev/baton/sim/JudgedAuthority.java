package dev.baton.sim;

import dev.baton.authority.Appended;
import dev.baton.authority.SeatAuthority;
import dev.baton.core.Entry;
import dev.baton.core.Term;
import java.util.concurrent.CompletionStage;

/** An engine at whose door the judge stands and sees what is offered. */
final class JudgedAuthority extends DecoratedAuthority {

    private final Judge judge;

    JudgedAuthority(SeatAuthority engine, Judge judge) {
        super(engine);
        this.judge = judge;
    }

    @Override
    public CompletionStage<Appended> append(Term term, Entry entry) {
        judge.offered(term, entry);
        return super.append(term, entry);
    }
}
