package io.posbias.report.query;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Language;
import io.posbias.data.dataset.RowFile;
import java.nio.file.Path;
import java.util.ArrayList;
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
    private static final Set<String> IDENTIFIERS = Set.of(QUERY, ID, LANGUAGE);

    /**
     * @param file a table, see {@link RowFile#open(java.nio.file.Path)}
     * @param taken names that fields of queries have
     * @throws UsageException if a field has a name that is taken
     * @throws BadInputException if a row has no identifier, or two rows are about the same
     */
    static AddedFields read(Path file, Set<String> taken) {
        List<Fields> table = new ArrayList<>();
        RowFile.open(file).forEach(table::add);
        String id = table.stream().anyMatch(row -> row.has(QUERY)) ? QUERY : ID;
        boolean languages = table.stream().anyMatch(row -> row.has(LANGUAGE));
        Map<String, QueryFields.Kind> kinds = kinds(table);
        if (kinds.isEmpty()) {
            throw new BadInputException(
                    Location.of(file), "has no field besides its identifiers", "give numbers or words");
        }
        kinds.keySet().stream().filter(taken::contains).findFirst().ifPresent(name -> {
            throw new UsageException(file + ": the field " + name + " is one of queries already; give it another name");
        });
        Map<List<String>, Map<String, Object>> rows = new HashMap<>();
        for (Fields row : table) {
            String about = row.id(id);
            List<String> key = List.of(about, languages ? Language.code(row.text(LANGUAGE)) : "");
            if (rows.put(key, values(row, kinds)) != null) {
                throw new BadInputException(
                        row.where(), "is a second row about " + Printable.quoted(about), "one row for each is needed");
            }
        }
        return new AddedFields(kinds, id.equals(QUERY) ? QUERY : "passage", languages, rows);
    }

    private static Map<String, QueryFields.Kind> kinds(List<Fields> table) {
        Map<String, QueryFields.Kind> kinds = new LinkedHashMap<>();
        for (Fields row : table) {
            for (String name : row.names()) {
                String value = cell(row, name);
                if (!value.isEmpty() && !IDENTIFIERS.contains(name)) {
                    boolean number = QueryCondition.NUMBER.matcher(value).matches();
                    kinds.merge(
                            name,
                            number ? QueryFields.Kind.NUMBER : QueryFields.Kind.TEXT,
                            (a, b) -> a == b ? a : QueryFields.Kind.TEXT);
                }
            }
        }
        return kinds;
    }

    private static Map<String, Object> values(Fields row, Map<String, QueryFields.Kind> kinds) {
        Map<String, Object> values = new HashMap<>();
        kinds.forEach((name, kind) -> {
            String value = cell(row, name);
            if (!value.isEmpty()) {
                values.put(name, kind == QueryFields.Kind.NUMBER ? Double.valueOf(value) : value);
            }
        });
        return values;
    }

    private static String cell(Fields row, String name) {
        return row.has(name) ? String.valueOf(row.raw(name)) : "";
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
