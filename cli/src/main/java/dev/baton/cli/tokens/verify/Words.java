package dev.baton.cli.tokens.verify;

/** A range for people. */
final class Words {

    private Words() {}

    /** Its number is that of its line among all readable lines of all files, from 1 on. */
    static String of(RangeTable table, int range) {
        RangeTable.Kind kind = table.kind(range);
        return kind.namespace() + " " + table.start(range)
                + (table.last(range) == table.start(range) ? "" : ".." + table.last(range))
                + (kind.step() == 1 ? "" : " step " + kind.step()) + " for "
                + table.caller(range).client() + " (range " + (range + 1) + ", epoch "
                + table.term(range).epoch() + ")";
    }
}
