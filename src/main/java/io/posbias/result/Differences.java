package io.posbias.result;

import io.posbias.Json;
import io.posbias.Printable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** In which fields two records differ, in the words of the options that set them. */
public final class Differences {
    private Differences() {}

    /**
     * A field in which they differ.
     *
     * @param field its name as an option's: {@code thin-below}
     * @param first its value in the first record, cut if it is long
     * @param second its value in the second
     */
    public record Difference(String field, String first, String second) {
        /** {@code k 100, the finished result has 10}, of what is wanted and a result. */
        @Override
        public String toString() {
            return field + " " + first + ", the finished result has " + second;
        }
    }

    /** Where they differ, in the order of the fields; records of one type. */
    public static List<Difference> of(Record first, Record second) {
        return of(fields(first), fields(second), Set.of());
    }

    /**
     * Where they differ, in the order of the fields.
     *
     * @param ignored names of fields that may differ
     */
    public static List<Difference> of(
            Map<String, ? extends @Nullable Object> first,
            Map<String, ? extends @Nullable Object> second,
            Set<String> ignored) {
        Set<String> names = new LinkedHashSet<>(first.keySet());
        names.addAll(second.keySet());
        names.removeAll(ignored);
        return names.stream()
                // As text: a number read back from a file may be of another type.
                .map(name -> new Difference(name.replace('_', '-'), text(first.get(name)), text(second.get(name))))
                .filter(both -> !both.first().equals(both.second()))
                .map(both -> new Difference(both.field(), Printable.cut(both.first()), Printable.cut(both.second())))
                .toList();
    }

    /** Several, in one sentence. */
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
            default -> Objects.toString(value);
        };
    }
}
