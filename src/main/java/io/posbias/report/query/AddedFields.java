package io.posbias.report.query;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Language;
import io.posbias.data.dataset.RowFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * More fields of queries from a file of rows, for example ratings of translations: of a query by {@code query_id}, or of all
 * queries of a passage by {@code id}; by language too where rows have one.
 *
 * @param kinds of the fields by name; a field is a number if it is one in every row that has it
 * @param key the field of queries that rows are found by
 * @param languages true if rows have a language
 * @param rows values by key, and by language where rows have one
 */
record AddedFields(
        Map<String, QueryFields.Kind> kinds,
        String key,
        boolean languages,
        Map<List<String>, Map<String, Object>> rows) {
    static final AddedFields NONE = new AddedFields(Map.of(), "", false, Map.of());

    private static final String QUERY = "query_id";
    private static final String ID = "id";
    private static final String LANGUAGE = "language";

    /**
     * @param file JSON lines, CSV, TSV or Parquet
     * @param taken names that fields of queries have
     * @throws UsageException if a field has a name that is taken, or two rows are about the same
     */
    static AddedFields read(Path file, Set<String> taken) {
        Map<List<String>, Map<String, Object>> rows = new HashMap<>();
        Map<String, QueryFields.Kind> kinds = new LinkedHashMap<>();
        boolean[] has = new boolean[2];
        RowFile.open(file).forEach(row -> {
            has[0] |= row.has(QUERY);
            has[1] |= row.has(LANGUAGE);
            String id = row.id(has[0] ? QUERY : ID);
            List<String> key = List.of(id, has[1] ? Language.code(row.text(LANGUAGE)) : "");
            if (rows.put(key, values(row, taken, kinds)) != null) {
                throw new BadInputException(
                        row.where(), "is a second row about " + Printable.quoted(id), "one row for each is needed");
            }
        });
        if (kinds.isEmpty()) {
            throw new BadInputException(
                    Location.of(file), "has no field besides its identifiers", "give numbers or words");
        }
        rows.values()
                .forEach(values -> kinds.forEach((name, kind) -> values.computeIfPresent(
                        name, (same, value) -> kind == QueryFields.Kind.NUMBER ? value : String.valueOf(value))));
        return new AddedFields(kinds, has[0] ? QUERY : "passage", has[1], rows);
    }

    private static Map<String, Object> values(Fields row, Set<String> taken, Map<String, QueryFields.Kind> kinds) {
        Map<String, Object> values = new HashMap<>();
        for (String name : row.names()) {
            Object value = row.raw(name);
            if (Set.of(ID, QUERY, LANGUAGE).contains(name) || value == null || "".equals(value)) {
                continue;
            }
            if (taken.contains(name)) {
                throw new UsageException(row.where().file() + ": the field " + name
                        + " is one of queries already; give it another name");
            }
            Double number = number(value);
            kinds.merge(
                    name,
                    number == null ? QueryFields.Kind.TEXT : QueryFields.Kind.NUMBER,
                    (a, b) -> a == b ? a : QueryFields.Kind.TEXT);
            values.put(name, number == null ? String.valueOf(value) : number);
        }
        return values;
    }

    private static @Nullable Double number(Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        String text = String.valueOf(value);
        return text.matches("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?") ? Double.valueOf(text) : null;
    }

    /**
     * Returns a value of a query; null if no row has one.
     *
     * @param id value of {@link #key}
     * @param language of the benchmark's passages; null if unknown
     */
    @Nullable
    Object value(String name, @Nullable Object id, @Nullable Object language) {
        if (id == null || (languages && language == null)) {
            return null;
        }
        Map<String, Object> row = rows.get(
                List.of(String.valueOf(id), languages ? String.valueOf(Objects.requireNonNull(language)) : ""));
        return row == null ? null : row.get(name);
    }
}
