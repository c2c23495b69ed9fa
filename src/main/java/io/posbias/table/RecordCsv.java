package io.posbias.table;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.stats.Correlation;
import io.posbias.stats.Estimate;
import io.posbias.stats.Interval;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * CSV of records: the columns that JSON's fields are, with the same names. An {@link Estimate} {@code x} is {@code x, x_low, x_high,
 * x_p_value}, a {@link Correlation} {@code x, x_p_value}, an {@link Interval} {@code x} or {@code x_interval} is {@code x_low,
 * x_high}; a record's columns have its name before them, unless it is unwrapped; a map has a column for each key of the first row.
 * Lists and arrays are in JSON alone. Numbers are in full precision; unknown values are empty.
 */
public final class RecordCsv<R extends Record> {
    private static final Map<String, String> USUAL = Map.of(
            "model", "name of the model's recipe",
            "dataset", "name of the benchmark",
            "measure", "name of the measure",
            "stratum", "`all`, or the band of passage length that the queries are of");

    private static final String INTERVAL = "_interval";

    private final Class<R> type;

    public RecordCsv(Class<R> type) {
        this.type = type;
    }

    /**
     * Columns of a component in the reference.
     *
     * @param names one, or several of an interval or estimate
     * @param unit kind of values: text, count, fraction, ...
     * @param meaning without a full stop
     */
    public record Described(List<String> names, String unit, String meaning) {}

    /** Returns a line per record. */
    public Table table(List<R> rows) {
        List<String> header = new ArrayList<>();
        List<Table.Row> lines = new ArrayList<>();
        for (R row : rows) {
            List<String> cells = new ArrayList<>();
            List<String> names = new ArrayList<>();
            add("", type, row, names, cells);
            if (header.isEmpty()) {
                header.addAll(names);
            }
            lines.add(new Table.Row(cells));
        }
        if (rows.isEmpty()) {
            add("", type, null, header, new ArrayList<>());
        }
        return new Table("", List.of(), header, lines, List.of());
    }

    /** Returns the values of a row by column name; of several columns, the value under the first. */
    public Map<String, @Nullable Object> values(R row) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        put("", type, row, values);
        return values;
    }

    private static void put(String prefix, Class<?> type, Object row, Map<String, @Nullable Object> values) {
        for (RecordComponent component : columns(type)) {
            Object value = value(component, row);
            if (value instanceof Map<?, ?> map) {
                map.forEach((name, own) -> values.put(String.valueOf(name), own));
            } else if (value != null && component.getType().isRecord() && !isNumber(component.getType())) {
                put(inside(prefix, component), component.getType(), value, values);
            } else {
                values.put(prefix + name(component), value);
            }
        }
    }

    /**
     * Describes the columns.
     *
     * @param sample a row with all columns that depend on rows; null if there are none
     * @throws IllegalStateException if one has no meaning
     */
    public List<Described> described(@Nullable R sample) {
        List<Described> columns = new ArrayList<>();
        describe("", type, sample, columns);
        return columns;
    }

    private static void add(
            String prefix, Class<?> type, @Nullable Object row, List<String> names, List<String> cells) {
        for (RecordComponent component : columns(type)) {
            Class<?> own = component.getType();
            Object value = value(component, row);
            if (own.isRecord() && !isNumber(own)) {
                add(inside(prefix, component), own, value, names, cells);
            } else {
                names.addAll(names(prefix, component, value));
                cells.addAll(cells(own, value));
            }
        }
    }

    private static void describe(String prefix, Class<?> type, @Nullable Object row, List<Described> columns) {
        for (RecordComponent component : columns(type)) {
            Class<?> own = component.getType();
            Object value = value(component, row);
            Meaning meaning = component.getAnnotation(Meaning.class);
            boolean isNested = own.isRecord() && !isNumber(own);
            if (isNested && meaning == null) {
                describe(inside(prefix, component), own, value, columns);
                continue;
            }
            List<String> names = new ArrayList<>();
            if (isNested) {
                add(inside(prefix, component), own, value, names, new ArrayList<>());
            } else {
                names.addAll(names(prefix, component, value));
            }
            columns.add(
                    meaning == null
                            ? usual(names, component, columns)
                            : new Described(
                                    names,
                                    meaning.unit().isEmpty() ? unit(component) : meaning.unit(),
                                    meaning.value()));
        }
    }

    /** Describes common names, and an interval {@code x_interval} after {@code x}. */
    private static Described usual(List<String> names, RecordComponent component, List<Described> before) {
        String name = names.isEmpty() ? "" : names.getFirst();
        if (component.getType() == Interval.class) {
            String of = name.substring(0, name.lastIndexOf('_'));
            for (Described column : before) {
                if (column.names().getFirst().equals(of)) {
                    return new Described(names, column.unit(), "both ends of the interval of `" + of + "`");
                }
            }
        }
        String usual = USUAL.get(name);
        if (usual == null) {
            throw new IllegalStateException("component without a meaning: " + component);
        }
        return new Described(names, unit(component), usual);
    }

    private static List<RecordComponent> columns(Class<?> type) {
        return Stream.of(type.getRecordComponents())
                .filter(component -> !component.getAccessor().isAnnotationPresent(JsonIgnore.class))
                .filter(component -> !Collection.class.isAssignableFrom(component.getType())
                        && !component.getType().isArray())
                .toList();
    }

    private static String inside(String prefix, RecordComponent component) {
        return component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)
                ? prefix
                : prefix + name(component) + "_";
    }

    private static String name(RecordComponent component) {
        JsonProperty own = component.getAccessor().getAnnotation(JsonProperty.class);
        return own != null && !own.value().isEmpty()
                ? own.value()
                : component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static boolean isNumber(Class<?> type) {
        return type == Estimate.class || type == Interval.class || type == Correlation.class;
    }

    private static List<String> names(String prefix, RecordComponent component, @Nullable Object value) {
        String name = prefix + name(component);
        if (component.getType() == Interval.class) {
            String of = name.endsWith(INTERVAL) ? name.substring(0, name.length() - INTERVAL.length()) : name;
            return List.of(of + "_low", of + "_high");
        }
        if (component.getType() == Estimate.class) {
            return List.of(name, name + "_low", name + "_high", name + "_p_value");
        }
        if (component.getType() == Correlation.class) {
            return List.of(name, name + "_p_value");
        }
        if (Map.class.isAssignableFrom(component.getType())) {
            return value instanceof Map<?, ?> map
                    ? map.keySet().stream().map(String::valueOf).toList()
                    : List.of();
        }
        return List.of(name);
    }

    private static List<String> cells(Class<?> type, @Nullable Object value) {
        return switch (value) {
            case Interval interval -> List.of(text(interval.low()), text(interval.high()));
            case Estimate estimate ->
                List.of(
                        text(estimate.value()),
                        text(estimate.interval().low()),
                        text(estimate.interval().high()),
                        text(estimate.pValue()));
            case Correlation correlation -> List.of(text(correlation.coefficient()), text(correlation.pValue()));
            case Map<?, ?> map -> map.values().stream().map(RecordCsv::text).toList();
            case null ->
                Stream.generate(() -> "")
                        .limit(type == Estimate.class ? 4 : isNumber(type) ? 2 : 1)
                        .toList();
            default -> List.of(text(value));
        };
    }

    private static String text(@Nullable Object value) {
        return Objects.toString(value, "");
    }

    private static String unit(RecordComponent component) {
        Class<?> type = component.getType();
        if (name(component).endsWith("p_value")) {
            return "p-value";
        }
        if (type == int.class || type == long.class || type == Integer.class || type == Long.class) {
            return "count";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        return Number.class.isAssignableFrom(type) || type.isPrimitive() || isNumber(type) || type == Map.class
                ? "fraction"
                : "text";
    }

    private static @Nullable Object value(RecordComponent component, @Nullable Object row) {
        if (row == null) {
            return null;
        }
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(row);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(component.getName(), failure);
        }
    }
}
