package dev.baton.authority.redis.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.baton.authority.redis.protocol.Ask;
import dev.baton.authority.redis.protocol.MemberId;
import dev.baton.authority.redis.protocol.MemberSet;
import dev.baton.core.Entry;
import dev.baton.core.EntryCodec;
import dev.baton.core.Epoch;
import dev.baton.core.Height;
import dev.baton.core.Holder;
import dev.baton.core.SeatId;
import dev.baton.core.Seating;
import dev.baton.core.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns what is asked about one seat into calls of scripts. The head of each script names the arguments it expects. */
public final class ScriptCalls {

    private static final byte[] NOTHING = new byte[0];

    /** Scripts compare heights as doubles, like epochs. */
    private static final long GREATEST_HEIGHT = Epoch.MAX_VALUE;

    private final List<byte[]> keys;
    private final List<byte[]> keysAndSeats;
    private final List<byte[]> identity;
    private volatile @Nullable Encoded lastEncoded;

    public ScriptCalls(SeatId seat) {
        keys = SeatKeys.of(seat).all().stream().map(ScriptCalls::bytes).toList();
        keysAndSeats =
                Stream.concat(keys.stream(), Stream.of(bytes(SeatKeys.SEATS))).toList();
        identity = List.of(
                bytes(seat.cluster().value()),
                bytes(seat.seat().value()),
                bytes(seat.era().toString()));
    }

    /** An entry too high for a script to count is refused with an {@link IllegalArgumentException}. */
    public ScriptCall of(Ask ask) {
        return switch (ask) {
            case Ask.Promote promote -> promote(promote);
            case Ask.Append append -> append(append);
            case Ask.Rebase rebase -> rebase(rebase);
            case Ask.Resign(MemberId member, Term term, boolean elected) ->
                call(Script.RESIGN, as(member).add(term).add(elected ? "1" : "0"));
            case Ask.Trim(MemberId member, Term term, Height below) ->
                call(Script.TRIM, as(member).add(term.epoch()).add(clamped(below)));
            case Ask.Peek(MemberId member) -> call(Script.PEEK, as(member));
            case Ask.Range range ->
                call(
                        Script.RANGE,
                        as(range.member())
                                .add(clamped(range.from()))
                                .add(range.limit().entries())
                                .add(range.limit().bytes()));
            case Ask.Recognise recognise ->
                call(
                        Script.RECOGNISE,
                        new Arguments(identity).nothing().add(recognise.fsync().name()));
            case Ask.Admit admit -> new ScriptCall(Script.ADMIT, keysAndSeats, admit(admit).list);
        };
    }

    private ScriptCall promote(Ask.Promote ask) {
        Arguments arguments =
                as(ask.member()).add(ask.seating()).add(Math.max(1, ask.lease().toMillis()));
        ask.insteadOf()
                .ifPresentOrElse(term -> arguments.add(term.epoch() + " " + text(term.holder())), arguments::nothing);
        ask.onlyAt()
                .ifPresentOrElse(
                        head -> arguments
                                .add(clamped(head.height()))
                                .add(head.hash().toString()),
                        () -> arguments.nothing().nothing());
        return call(Script.PROMOTE, arguments);
    }

    private ScriptCall append(Ask.Append ask) {
        long leaseMillis = ask.lease().isPositive() ? Math.max(1, ask.lease().toMillis()) : 0;
        return call(
                Script.APPEND,
                as(ask.member())
                        .add(ask.seating())
                        .add(leaseMillis)
                        .add(encoded(ask.entry()))
                        .nothing());
    }

    private ScriptCall rebase(Ask.Rebase ask) {
        return call(
                Script.REBASE,
                as(ask.member())
                        .add(ask.seating().term())
                        .add(encoded(ask.base()))
                        .add(ask.governing().toString()));
    }

    private Arguments admit(Ask.Admit ask) {
        Arguments arguments = as(ask.member());
        ask.insteadOf().ifPresentOrElse(member -> arguments.add(member.value()), arguments::nothing);
        arguments.add(ask.fsync().name()).add(ask.run());
        ask.seating()
                .map(Seating::term)
                .ifPresentOrElse(arguments::add, () -> arguments.add(0).nothing());
        arguments.add(ask.governing().toString());
        ask.base()
                .ifPresentOrElse(
                        base -> arguments.add(encoded(base)),
                        () -> arguments
                                .add(0)
                                .nothing()
                                .nothing()
                                .nothing()
                                .nothing()
                                .nothing());
        return arguments;
    }

    private ScriptCall call(Script script, Arguments arguments) {
        return new ScriptCall(script, keys, arguments.list);
    }

    private Arguments as(MemberId member) {
        return new Arguments(identity).add(member.value());
    }

    /** Nothing is kept so high: a limit means the same when it is cut to what a script can count. */
    private static long clamped(Height height) {
        return Math.min(height.value(), GREATEST_HEIGHT);
    }

    static String text(Holder holder) {
        return holder.node() + " " + holder.incarnation();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static final class Arguments {

        private final List<byte[]> list;

        Arguments(List<byte[]> first) {
            list = new ArrayList<>(16);
            list.addAll(first);
        }

        Arguments add(String text) {
            list.add(bytes(text));
            return this;
        }

        Arguments add(long number) {
            return add(Long.toString(number));
        }

        Arguments nothing() {
            list.add(NOTHING);
            return this;
        }

        Arguments add(Epoch epoch) {
            return add(epoch.value());
        }

        Arguments add(Term term) {
            return add(term.epoch()).add(text(term.holder()));
        }

        Arguments add(Seating seating) {
            return add(seating.term()).add(seating.address());
        }

        Arguments add(Encoded entry) {
            list.addAll(entry.arguments());
            return this;
        }
    }

    /** An entry goes to several nodes in a row: it is encoded once. */
    private Encoded encoded(Entry entry) {
        Encoded known = lastEncoded;
        if (known == null || !known.entry().equals(entry)) {
            known = Encoded.of(entry);
            lastEncoded = known;
        }
        return known;
    }

    /** An entry as the scripts expect it. */
    private record Encoded(Entry entry, List<byte[]> arguments) {

        static Encoded of(Entry entry) {
            if (entry.height().value() > GREATEST_HEIGHT) {
                throw new IllegalArgumentException(
                        "height: " + entry.height() + " (expected: at most " + GREATEST_HEIGHT + ")");
            }
            return new Encoded(
                    entry,
                    List.of(
                            bytes(entry.height().toString()),
                            bytes(entry.hash().toString()),
                            bytes(entry.parent().toString()),
                            bytes(MemberSet.installedBy(entry)
                                    .map(MemberSet::toString)
                                    .orElse("")),
                            bytes(Integer.toString(entry.payload().size())),
                            EntryCodec.encode(entry).toArray()));
        }
    }
}
