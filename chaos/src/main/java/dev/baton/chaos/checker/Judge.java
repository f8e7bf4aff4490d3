package dev.baton.chaos.checker;

import dev.baton.chaos.history.Account;
import dev.baton.chaos.history.Event;
import java.util.List;

/**
 * Judges a run by what clients and readers saw and what stores and engines hold at the end. What nodes say about
 * themselves (samples) is never looked at. A pure function of the events, in whatever order they come.
 */
public final class Judge {

    private Judge() {}

    public static Judgement judge(List<Event> events, Bounds bounds) {
        return judge(Account.of(events), bounds);
    }

    public static Judgement judge(Account account, Bounds bounds) {
        Findings findings = new Findings(account.faults());
        Chain chain = Chain.of(account);
        Commits commits = Commits.of(account);
        TransactionRules transactions = new TransactionRules(account, chain, findings);
        ProgressRules progress = new ProgressRules(account, commits, bounds, findings);

        new ChainRules(account, chain, findings).check();
        transactions.check();
        new PoolRules(account, chain, findings).check();
        new RowRules(account, findings).check();
        new HeadRules(account, chain, findings).check();
        new TokenRules(account, findings).check();
        new TokenHoldings(account, findings).check();
        new OrderRules(account, findings).check();
        new AgreementRule(account, chain, commits, bounds, findings).check();
        progress.check();
        if (transactions.unverifiable() > 0) {
            progress.doubts()
                    .add(transactions.unverifiable()
                            + " acknowledged transactions are older than what any store holds");
        }

        List<Outage> outages = Outages.of(account, commits);
        return new Judgement(
                verdict(findings, progress.doubts()),
                findings.violations(),
                findings.counts(),
                progress.doubts(),
                commits.heights(),
                account.faults().stream()
                        .filter(each -> each.failed().isEmpty())
                        .count(),
                outages,
                Outages.failovers(outages),
                Outages.longestNanos(commits),
                Pressure.of(account));
    }

    private static Judgement.Verdict verdict(Findings findings, List<String> doubts) {
        if (!findings.counts().isEmpty()) {
            return Judgement.Verdict.FAIL;
        }
        return doubts.isEmpty() ? Judgement.Verdict.PASS : Judgement.Verdict.UNKNOWN;
    }
}
