package io.posbias.report.query;

import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Quartiles;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Grouping of queries by the values of a text field or by ranges of a number.
 *
 * @param edges of ranges, ascending; empty for quartiles
 */
record Groups(String field, QueryFields.Kind kind, List<Double> edges) {
    static final int MOST = 50;

    private static final int DIGITS = 6;

    record Group(String name, Predicate<Object> holds) {}

    Groups {
        edges = List.copyOf(edges);
    }

    static Groups parse(String text, Map<String, QueryFields.Kind> fields) {
        String[] parts = text.split(":", 2);
        QueryFields.Kind kind = fields.get(parts[0]);
        if (kind == null) {
            throw new UsageException("--by: " + Suggestions.unknown("field", parts[0], fields.keySet()));
        }
        if (parts.length == 1) {
            return new Groups(parts[0], kind, List.of());
        }
        if (kind == QueryFields.Kind.TEXT) {
            throw new UsageException("--by " + Printable.cut(text) + ": " + parts[0] + " is text, so it has no edges");
        }
        List<Double> edges = new ArrayList<>();
        for (String edge : parts[1].split(",", -1)) {
            if (!edge.matches("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)")
                    || (!edges.isEmpty() && Double.parseDouble(edge) <= edges.getLast())) {
                throw new UsageException(
                        "--by " + Printable.cut(text) + ": edges are ascending numbers, for example words:100,300");
            }
            edges.add(Double.parseDouble(edge));
        }
        return new Groups(parts[0], kind, edges);
    }

    List<Group> of(Collection<Object> values, List<String> order) {
        return kind == QueryFields.Kind.TEXT ? names(values, order) : ranges(values);
    }

    private List<Group> names(Collection<Object> values, List<String> order) {
        List<String> names = values.stream()
                .flatMap(value -> value instanceof List<?> several ? several.stream() : Stream.of(value))
                .map(String::valueOf)
                .distinct()
                .sorted((a, b) -> {
                    int byOrder = Integer.compare(order.indexOf(a), order.indexOf(b));
                    return byOrder == 0 ? a.compareTo(b) : byOrder;
                })
                .toList();
        if (names.size() > MOST) {
            throw new UsageException("--by " + field + ": the queries have " + names.size() + " values, more than the "
                    + MOST + " that a table shows; --where chooses some");
        }
        return names.stream()
                .map(name -> new Group(
                        name, value -> value instanceof List<?> several ? several.contains(name) : value.equals(name)))
                .toList();
    }

    private List<Group> ranges(Collection<Object> values) {
        double[] numbers = values.stream()
                .mapToDouble(value -> ((Number) value).doubleValue())
                .toArray();
        if (numbers.length == 0) {
            return List.of();
        }
        double[] ends = edges.isEmpty()
                ? Arrays.stream(Quartiles.edges(numbers)).distinct().toArray()
                : edges.stream().mapToDouble(Double::doubleValue).toArray();
        double[] all = DoubleStream.concat(
                        DoubleStream.concat(DoubleStream.of(Double.NEGATIVE_INFINITY), Arrays.stream(ends)),
                        DoubleStream.of(Double.POSITIVE_INFINITY))
                .toArray();
        List<Group> groups = new ArrayList<>();
        for (int i = 1; i < all.length; i++) {
            double from = all[i - 1];
            double to = all[i];
            groups.add(new Group(range(from, to), value -> {
                double number = ((Number) value).doubleValue();
                return number >= from && number < to;
            }));
        }
        return groups;
    }

    private static String range(double from, double to) {
        if (Double.isInfinite(from)) {
            return "<" + number(to);
        }
        return Double.isInfinite(to) ? ">=" + number(from) : "[" + number(from) + "," + number(to) + ")";
    }

    private static String number(double value) {
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(DIGITS));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
