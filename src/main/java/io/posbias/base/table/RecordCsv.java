package io.posbias.base.table;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.base.stats.Correlation;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.Interval;
import io.posbias.base.stats.Tested;
import java.io.Writer;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * CSV of records: the columns that JSON's fields are, with the same names. An {@link Estimate} or {@link Tested} {@code x} is
 * {@code x, x_low, x_high, x_p_value}, a {@link Correlation} {@code x, x_p_value}, an {@link Interval} {@code x} or {@code
 * x_interval} is {@code x_low, x_high}; a record's columns have its name before them, unless it is unwrapped; a map has a column for each key of the first row.
 * Lists and arrays are in JSON alone. Numbers are in full precision; unknown values are empty.
 */
public final class RecordCsv<R extends Record> {
    private static final Map<String, String> USUAL = Map.of(
            "model", "name of the model's recipe",
            "dataset", "name of the benchmark",
            "measure", "name of the measure",
            "stratum", "`all`, or the band of passage length that the queries are of");

    private static final String INTERVAL = "_interval";

    private final List<Column> columns;

    public RecordCsv(Class<R> type) {
        this.columns = columns("", type);
    }

    /**
     * A component, looked up once: a file may have a million lines.
     *
     * @param name with the names of the records around it; of a nested record, the beginning of its columns' names
     * @param names of its columns; empty for a map, whose keys name them
     * @param inside columns of a nested record
     */
    private record Column(
            String name, List<String> names, RecordComponent component, Method accessor, List<Column> inside) {
        Class<?> type() {
            return component.getType();
        }

        List<String> names(@Nullable Object value) {
            return value instanceof Map<?, ?> map
                    ? map.keySet().stream().map(String::valueOf).toList()
                    : names;
        }

        @Nullable
        Object value(@Nullable Object row) {
            if (row == null) {
                return null;
            }
            try {
                return accessor.invoke(row);
            } catch (ReflectiveOperationException failure) {
                throw new IllegalStateException(name, failure);
            }
        }
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
        addNames(columns, rows.isEmpty() ? null : rows.getFirst(), header);
        List<Table.Row> lines = new ArrayList<>(rows.size());
        rows.forEach(row -> lines.add(new Table.Row(cells(row))));
        return new Table("", List.of(), header, lines, List.of());
    }

    /** Writes a line per record to a file; the records need not be in memory together. */
    public void write(Path file, int count, IntFunction<R> row) {
        List<String> header = new ArrayList<>();
        addNames(columns, count == 0 ? null : row.apply(0), header);
        IoErrors.run("write", file, () -> {
            try (Writer out = Files.newBufferedWriter(file)) {
                CsvRows.write(
                        out,
                        Stream.concat(
                                Stream.of(header),
                                IntStream.range(0, count).mapToObj(row).map(this::cells)));
            }
        });
    }

    private List<String> cells(R row) {
        List<String> cells = new ArrayList<>();
        addCells(columns, row, cells);
        return cells;
    }

    /** Returns the values of a row by column name; of several columns, the value under the first. */
    public Map<String, @Nullable Object> values(R row) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        put(columns, row, values);
        return values;
    }

    private static void put(List<Column> columns, Object row, Map<String, @Nullable Object> values) {
        for (Column column : columns) {
            Object value = column.value(row);
            if (value instanceof Map<?, ?> map) {
                map.forEach((name, own) -> values.put(String.valueOf(name), own));
            } else if (value != null && !column.inside.isEmpty()) {
                put(column.inside, value, values);
            } else {
                values.put(column.name, value);
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
        List<Described> described = new ArrayList<>();
        describe(columns, sample, described);
        return described;
    }

    private static void addNames(List<Column> columns, @Nullable Object row, List<String> names) {
        for (Column column : columns) {
            Object value = column.value(row);
            if (column.inside.isEmpty()) {
                names.addAll(column.names(value));
            } else {
                addNames(column.inside, value, names);
            }
        }
    }

    private static void addCells(List<Column> columns, @Nullable Object row, List<String> cells) {
        for (Column column : columns) {
            Object value = column.value(row);
            if (column.inside.isEmpty()) {
                cells.addAll(cells(column.type(), value));
            } else {
                addCells(column.inside, value, cells);
            }
        }
    }

    private static void describe(List<Column> columns, @Nullable Object row, List<Described> described) {
        for (Column column : columns) {
            Object value = column.value(row);
            Meaning meaning = column.component.getAnnotation(Meaning.class);
            boolean isNested = !column.inside.isEmpty();
            if (isNested && meaning == null) {
                describe(column.inside, value, described);
                continue;
            }
            List<String> names = new ArrayList<>();
            if (isNested) {
                addNames(column.inside, value, names);
            } else {
                names.addAll(column.names(value));
            }
            described.add(
                    meaning == null
                            ? usual(names, column.component, described)
                            : new Described(
                                    names,
                                    meaning.unit().isEmpty() ? unit(column.component) : meaning.unit(),
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

    private static List<Column> columns(String prefix, Class<?> type) {
        List<Column> columns = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Class<?> own = component.getType();
            Method accessor = component.getAccessor();
            if (accessor.isAnnotationPresent(JsonIgnore.class)
                    || Collection.class.isAssignableFrom(own)
                    || own.isArray()) {
                continue;
            }
            accessor.setAccessible(true);
            boolean isNested = own.isRecord() && !isNumber(own);
            columns.add(new Column(
                    prefix + name(component),
                    names(prefix, component),
                    component,
                    accessor,
                    isNested ? columns(inside(prefix, component), own) : List.of()));
        }
        return columns;
    }

    private static String inside(String prefix, RecordComponent component) {
        return component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)
                ? prefix
                : prefix + name(component) + "_";
    }

    private static String name(RecordComponent component) {
        return Json.name(component, "_");
    }

    private static boolean isNumber(Class<?> type) {
        return isTested(type) || type == Interval.class || type == Correlation.class;
    }

    private static boolean isTested(Class<?> type) {
        return type == Estimate.class || type == Tested.class;
    }

    private static List<String> names(String prefix, RecordComponent component) {
        String name = prefix + name(component);
        if (component.getType() == Interval.class) {
            String of = name.endsWith(INTERVAL) ? name.substring(0, name.length() - INTERVAL.length()) : name;
            return List.of(of + "_low", of + "_high");
        }
        if (isTested(component.getType())) {
            return List.of(name, name + "_low", name + "_high", name + "_p_value");
        }
        if (component.getType() == Correlation.class) {
            return List.of(name, name + "_p_value");
        }
        if (Map.class.isAssignableFrom(component.getType())) {
            return List.of();
        }
        return List.of(name);
    }

    private static List<String> cells(Class<?> type, @Nullable Object value) {
        return switch (value) {
            case Interval interval -> List.of(text(interval.low()), text(interval.high()));
            case Estimate estimate -> cells(Tested.class, Tested.of(estimate));
            case Tested tested ->
                Stream.of(
                                List.of(text(tested.value())),
                                cells(Interval.class, tested.interval()),
                                List.of(text(tested.pValue())))
                        .flatMap(List::stream)
                        .toList();
            case Correlation correlation -> List.of(text(correlation.coefficient()), text(correlation.pValue()));
            case Map<?, ?> map -> map.values().stream().map(RecordCsv::text).toList();
            case null ->
                Stream.generate(() -> "")
                        .limit(isTested(type) ? 4 : isNumber(type) ? 2 : 1)
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
}
