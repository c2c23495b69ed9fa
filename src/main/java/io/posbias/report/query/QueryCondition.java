package io.posbias.report.query;

import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A comparison of a query's field with a value, like {@code words > 300}.
 *
 * @param holds test of a known value; a field with several values equals each of them
 */
record QueryCondition(String field, Predicate<Object> holds) {
    private static final Pattern PARTS =
            Pattern.compile("\\s*+(?<field>[^\\s=<>!]++)\\s*+(?<sign><=|>=|!=|[=<>])\\s*+(?<value>.*\\S)\\s*");

    static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");

    static QueryCondition parse(String text, Map<String, QueryFields.Kind> fields) {
        Matcher parts = PARTS.matcher(text);
        if (!parts.matches()) {
            throw wrong(text, "expected FIELD OP VALUE, where OP is one of = != < <= > >=");
        }
        String field = parts.group("field");
        String sign = parts.group("sign");
        String value = parts.group("value");
        QueryFields.Kind kind = fields.get(field);
        if (kind == null) {
            throw wrong(text, Suggestions.unknown("field", field, fields.keySet()));
        }
        if (kind == QueryFields.Kind.NUMBER) {
            if (!NUMBER.matcher(value).matches()) {
                throw wrong(text, field + " is a number, and " + Printable.quoted(value) + " is not");
            }
            double wanted = Double.parseDouble(value);
            return new QueryCondition(field, own -> holds(((Number) own).doubleValue(), sign, wanted));
        }
        return switch (sign) {
            case "=" -> new QueryCondition(field, own -> equal(own, value));
            case "!=" -> new QueryCondition(field, own -> !equal(own, value));
            default -> throw wrong(text, field + " is a text, which is compared by = and !=");
        };
    }

    private static boolean holds(double own, String sign, double wanted) {
        return switch (sign) {
            case "=" -> own == wanted;
            case "!=" -> own != wanted;
            case "<" -> own < wanted;
            case "<=" -> own <= wanted;
            case ">" -> own > wanted;
            default -> own >= wanted;
        };
    }

    private static boolean equal(Object own, String value) {
        return own instanceof List<?> several ? several.contains(value) : own.equals(value);
    }

    private static UsageException wrong(String text, String what) {
        return new UsageException("--where " + Printable.quoted(text) + ": " + what);
    }
}
