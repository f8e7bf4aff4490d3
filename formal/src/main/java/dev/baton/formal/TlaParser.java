package dev.baton.formal;

import dev.baton.formal.TlaValue.Atom;
import dev.baton.formal.TlaValue.Mapping;
import dev.baton.formal.TlaValue.Members;
import dev.baton.formal.TlaValue.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one value as TLC prints it: {@code {n1}}, {@code <<1, 2>>}, {@code [a |-> 1]}, {@code (n1 :> 0 @@ n2 :> 1)}. */
final class TlaParser {

    private static final Pattern TOKEN = Pattern.compile("<<|>>|\\|->|:>|@@|[\\[\\](){},]|\"[^\"]*\"|[\\w-]+");

    private final List<String> tokens = new ArrayList<>();
    private int at;

    private TlaParser(String text) {
        Matcher matcher = TOKEN.matcher(text);
        while (matcher.find()) {
            tokens.add(matcher.group());
        }
    }

    static TlaValue parse(String text) {
        return new TlaParser(text).value();
    }

    private TlaValue value() {
        String token = next();
        return switch (token) {
            case "<<" -> new Sequence(items(">>"));
            case "{" -> new Members(items("}"));
            case "[" -> new Mapping(entries("]"));
            case "(" -> new Mapping(entries(")"));
            default -> new Atom(token.replace("\"", ""));
        };
    }

    private List<TlaValue> items(String end) {
        List<TlaValue> items = new ArrayList<>();
        while (!skip(end)) {
            items.add(value());
            skip(",");
        }
        return items;
    }

    private Map<String, TlaValue> entries(String end) {
        Map<String, TlaValue> entries = new LinkedHashMap<>();
        while (!skip(end)) {
            String key = value().brief();
            next(); // |-> in a record, :> in a function
            entries.put(key, value());
            if (!skip(",")) {
                skip("@@");
            }
        }
        return entries;
    }

    private boolean skip(String token) {
        if (at < tokens.size() && tokens.get(at).equals(token)) {
            at++;
            return true;
        }
        return false;
    }

    private String next() {
        if (at == tokens.size()) {
            throw new IllegalArgumentException("value: ends early (expected: more after " + tokens + ")");
        }
        return tokens.get(at++);
    }
}
