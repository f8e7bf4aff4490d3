package dev.baton.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Rows under headings, each column as wide as its widest cell; numbers stand to the right. */
public final class TextTable {

    private static final String BETWEEN = "  ";

    /** A number, with its unit if it has one. */
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?( .*)?");

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... headings) {
        this.headings = List.of(headings);
    }

    public TextTable row(Object... cells) {
        if (cells.length != headings.size()) {
            throw new IllegalArgumentException(cells.length + " cells (expected: " + headings.size() + ")");
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
        return this;
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(line(headings));
        rows.forEach(row -> lines.add(line(row)));
        return lines;
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            String space = " ".repeat(width(i) - cell.length());
            line.append(i == 0 ? "" : BETWEEN).append(isNumeric(i) ? space + cell : cell + space);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        return rows.stream()
                .mapToInt(row -> row.get(column).length())
                .reduce(headings.get(column).length(), Math::max);
    }

    private boolean isNumeric(int column) {
        return !rows.isEmpty()
                && rows.stream()
                        .map(row -> row.get(column))
                        .allMatch(
                                cell -> cell.equals("-") || NUMBER.matcher(cell).matches());
    }
}
