package io.posbias.result;

import io.posbias.Json;
import io.posbias.Printable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Differences between two records, by the names of their options. */
public final class Differences {
    private static final String KIND = "kind";
    private static final String NAME = "name";

    private Differences() {}

    /**
     * A field with different values.
     *
     * @param field for example {@code thin-below}
     * @param first shortened value
     */
    public record Difference(String field, String first, String second) {
        /** A difference in words: {@code k 100, the finished result has 10}. */
        @Override
        public String toString() {
            return field + " " + first + ", the finished result has " + second;
        }
    }

    /** Compares two records of a type. */
    public static List<Difference> of(Record first, Record second) {
        return of(fields(first), fields(second), Set.of());
    }

    /**
     * Compares two maps. Fields of nested records have paths like {@code model.pooling}. Of records of different {@code
     * kind} only the second's fields are compared.
     *
     * @param ignored names of fields that may differ, also in nested records
     */
    public static List<Difference> of(
            Map<String, ? extends @Nullable Object> first,
            Map<String, ? extends @Nullable Object> second,
            Set<String> ignored) {
        List<Difference> all = new ArrayList<>();
        add("", first, second, ignored, all);
        return all;
    }

    private static void add(String path, Map<?, ?> first, Map<?, ?> second, Set<String> ignored, List<Difference> to) {
        Set<Object> names = new LinkedHashSet<>(first.keySet());
        names.addAll(second.keySet());
        names.removeAll(ignored);
        if (!Objects.equals(first.get(KIND), second.get(KIND))) {
            names.retainAll(second.keySet());
        }
        for (Object name : names) {
            add(path + String.valueOf(name).replace('_', '-'), first.get(name), second.get(name), ignored, to);
        }
    }

    private static void add(
            String path, @Nullable Object first, @Nullable Object second, Set<String> ignored, List<Difference> to) {
        if (first instanceof Map<?, ?> was && second instanceof Map<?, ?> is) {
            add(path + ".", was, is, ignored, to);
        } else if (first instanceof List<?> was && second instanceof List<?> is && areRecords(was, is)) {
            for (int i = 0; i < was.size(); i++) {
                add(path + "." + (i + 1), was.get(i), is.get(i), ignored, to);
            }
        } else {
            // As text: a number read back from a file may be of another type.
            String one = text(first);
            String other = text(second);
            if (!one.equals(other)) {
                to.add(new Difference(path, Printable.cut(one), Printable.cut(other)));
            }
        }
    }

    private static boolean areRecords(List<?> first, List<?> second) {
        return first.size() == second.size() && first.stream().anyMatch(one -> one instanceof Map);
    }

    /** Returns the names of files that differ or that one side lacks, separated by commas. */
    public static String ofFiles(Map<String, String> first, Map<String, String> second) {
        Set<String> names = new TreeSet<>(first.keySet());
        names.addAll(second.keySet());
        names.removeIf(name -> Objects.equals(first.get(name), second.get(name)));
        return String.join(", ", names);
    }

    /** Joins differences into one sentence. */
    public static String said(List<Difference> differences) {
        return differences.stream().map(Difference::toString).collect(Collectors.joining("; "));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> fields(Record record) {
        return Json.mapper().convertValue(record, Map.class);
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "none";
            case List<?> list -> list.stream().map(Differences::text).collect(Collectors.joining(","));
            case Double number ->
                number == Math.rint(number) ? String.format(Locale.ROOT, "%.0f", number) : number + "";
            // Of a recipe within, its name.
            case Map<?, ?> record -> Objects.toString(record.containsKey(NAME) ? record.get(NAME) : record);
            default -> Objects.toString(value);
        };
    }
}
