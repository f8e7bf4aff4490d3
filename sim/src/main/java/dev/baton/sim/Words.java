package dev.baton.sim;

import dev.baton.authority.redis.protocol.Answer;
import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.authority.redis.protocol.Tip;
import dev.baton.core.Entry;
import java.util.Optional;

/** Asks and answers as a transcript tells them. */
final class Words {

    private Words() {}

    static String of(Ask ask) {
        return switch (ask) {
            case Ask.Promote promote ->
                promote.member() + " is asked for the seat by "
                        + promote.seating().term()
                        + promote.insteadOf().map(term -> " instead of " + term).orElse("")
                        + promote.onlyAt().map(head -> " at " + head).orElse("");
            case Ask.Append append ->
                append.member() + " is given " + of(append.entry()) + " by "
                        + append.seating().term() + (append.lease().isZero() ? " to catch up" : "");
            case Ask.Rebase rebase ->
                rebase.member() + " is based on " + rebase.base() + " by "
                        + rebase.seating().term();
            case Ask.Resign resign ->
                resign.member() + " hears that " + resign.term() + (resign.elected() ? " is over" : " came to nothing");
            case Ask.Trim trim -> trim.member() + " is trimmed below " + trim.below();
            case Ask.Peek peek -> peek.member() + " is looked at";
            case Ask.Range range -> range.member() + " is read from " + range.from();
            case Ask.Recognise recognise -> "is asked who it is, fsync " + recognise.fsync();
            case Ask.Admit admit ->
                "is admitted as " + admit.member()
                        + admit.insteadOf().map(stray -> " instead of " + stray).orElse("")
                        + admit.seating()
                                .map(seating -> " by " + seating.term())
                                .orElse("")
                        + admit.base().map(base -> " at " + base).orElse(" without a ledger");
        };
    }

    static String of(Answer answer) {
        return switch (answer) {
            case Answer.Granted granted ->
                "granted, tip " + of(granted.before().tip()) + ", had promised "
                        + granted.before().promised();
            case Answer.Held held -> "held by " + held.by().term() + " for " + held.left();
            case Answer.Elsewhere elsewhere -> "tip is " + of(elsewhere.tip());
            case Answer.Ahead(boolean same, Tip tip) ->
                (same ? "has it" : "has another") + ", tip " + of(Optional.of(tip));
            case Answer.Behind behind -> "does not follow, tip " + of(behind.tip());
            case Answer.Seen seen -> "tip " + of(seen.sight().tip());
            case Answer.Entries entries -> entries.entries().size() + " entries";
            case Answer.Stale ignored -> answer.toString();
            case Answer.Accepted ignored -> "accepted";
            case Answer.Fenced ignored -> answer.toString();
            case Answer.Done ignored -> "done";
            case Answer.Trimmed ignored -> answer.toString();
            case Answer.Blank ignored -> answer.toString();
            case Answer.Other ignored -> answer.toString();
            case Answer.Broken ignored -> answer.toString();
            case Answer.Lost ignored -> answer.toString();
            case Answer.Unsent ignored -> answer.toString();
        };
    }

    static String of(Entry entry) {
        return entry + MemberSet.installedBy(entry).map(set -> " with " + set).orElse("");
    }

    private static String of(Optional<Tip> tip) {
        return tip.map(there -> there.asHead() + " under " + there.ballot()).orElse("none");
    }
}
