package io.posbias.data.dataset;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.data.input.TextInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/**
 * Rows of a JSON file in any of the shapes that tools write: a list of records or records one after another, which are streamed;
 * one record with a list of records; pandas' columns, index, split and table, and columns of lists. A record in {@code row} (the
 * Hub's viewer) or {@code _source} (Elasticsearch) is the row.
 */
public record JsonTable(Path path) implements RowFile {
    private static final TypeReference<Map<String, @Nullable Object>> RECORD = new TypeReference<>() {};
    private static final String COLUMNS = "columns";
    private static final String DATA = "data";
    /** Names of a list of records beside other fields. */
    private static final Set<String> ROWS = Set.of(
            DATA, "rows", "records", "items", "examples", "samples", "documents", "docs", "questions", "results");

    @Override
    public void forEach(Consumer<Fields> consumer) {
        ObjectReader reader = Json.mapper().readerFor(RECORD).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        try (InputStream in = TextInput.open(path);
                JsonParser json = Json.mapper().createParser(in)) {
            JsonToken token = json.nextToken();
            boolean isList = token == JsonToken.START_ARRAY;
            token = isList ? json.nextToken() : token;
            Fields first = null;
            for (; token != null && token != JsonToken.END_ARRAY; token = json.nextToken()) {
                Location where = new Location(path, json.currentTokenLocation().getLineNr());
                if (token != JsonToken.START_OBJECT) {
                    throw new BadInputException(where, "not a JSON object", "a table is a list of records { … }");
                }
                Map<String, @Nullable Object> record = reader.readValue(json);
                if (first != null) {
                    consumer.accept(first);
                    isList = true;
                }
                first = row(where, "", record);
            }
            if (first != null && isList) {
                consumer.accept(first);
            } else if (first != null) {
                rows(first).forEach(consumer);
            }
        } catch (JacksonException broken) {
            throw Json.malformed("JSON", path, broken);
        } catch (IOException unreadable) {
            throw RowFile.unreadable(path, unreadable);
        }
    }

    /** Returns the rows of the only record of a file; the record itself if it has no shape of a table. */
    public static List<Fields> rows(Fields table) {
        Map<String, @Nullable Object> fields = table.toMap();
        if (fields.containsKey("corpus") && fields.containsKey("queries")) {
            return List.of(table);
        }
        if (fields.get(COLUMNS) instanceof List<?> names && fields.get(DATA) instanceof List<?> data) {
            return numbered(
                    table, DATA, data.size(), i -> data.get(i) instanceof List<?> cells ? zipped(names, cells) : null);
        }
        List<Map.Entry<String, @Nullable Object>> lists = fields.entrySet().stream()
                .filter(field -> field.getValue() instanceof List<?> list
                        && !list.isEmpty()
                        && list.stream().allMatch(Map.class::isInstance))
                .toList();
        Optional<Map.Entry<String, @Nullable Object>> named = lists.stream()
                .filter(field -> fields.size() == 1 || ROWS.contains(field.getKey()))
                .findFirst();
        if (named.isPresent()) {
            List<?> records = (List<?>) named.get().getValue();
            return numbered(table, named.get().getKey(), records.size(), records::get);
        }
        Collection<@Nullable Object> values = fields.values();
        if (values.size() > 1 && values.stream().allMatch(List.class::isInstance)) {
            Set<Integer> sizes = new LinkedHashSet<>();
            values.forEach(list -> sizes.add(((List<?>) list).size()));
            return sizes.size() > 1 || sizes.contains(1)
                    ? List.of(table)
                    : numbered(
                            table,
                            "",
                            sizes.iterator().next(),
                            i -> column(fields, list -> list instanceof List<?> own ? own.get(i) : null));
        }
        if (!values.isEmpty() && values.stream().allMatch(Map.class::isInstance)) {
            Set<Object> inner = new LinkedHashSet<>();
            values.forEach(map -> inner.addAll(((Map<?, ?>) map).keySet()));
            if (inner.stream().allMatch(key -> String.valueOf(key).matches("\\d+"))) {
                List<Object> keys = List.copyOf(inner);
                return numbered(
                        table,
                        "",
                        keys.size(),
                        i -> column(fields, map -> map instanceof Map<?, ?> own ? own.get(keys.get(i)) : null));
            }
            List<Object> records = new ArrayList<>(values);
            return numbered(table, "", records.size(), records::get);
        }
        return List.of(table);
    }

    /** Value by the number of its row. */
    private interface Row {
        @Nullable
        Object at(int number);
    }

    private interface Cell {
        @Nullable
        Object in(@Nullable Object column);
    }

    private static Map<String, @Nullable Object> column(Map<String, @Nullable Object> columns, Cell cell) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        columns.forEach((name, column) -> row.put(name, cell.in(column)));
        return row;
    }

    private static Map<String, @Nullable Object> zipped(List<?> names, List<?> cells) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            row.put(String.valueOf(names.get(i)), i < cells.size() ? cells.get(i) : null);
        }
        return row;
    }

    private static List<Fields> numbered(Fields table, String name, int size, Row rows) {
        List<Fields> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String place = name + "[" + i + "]";
            if (!(rows.at(i) instanceof Map<?, ?> record)) {
                throw table.bad(place, "is not a record", "each row has all columns");
            }
            all.add(row(table.where(), place + ".", record));
        }
        return all;
    }

    /** Returns a record as a row, without the record around it. */
    static Fields row(Location where, String place, Map<?, ?> record) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        record.forEach((name, value) -> fields.put(String.valueOf(name), value));
        for (String inner : List.of("row", "_source")) {
            if (fields.get(inner) instanceof Map<?, ?> own) {
                Map<String, @Nullable Object> flat = new LinkedHashMap<>();
                if (fields.get("_id") != null) {
                    flat.put("_id", fields.get("_id"));
                }
                own.forEach((name, value) -> flat.put(String.valueOf(name), value));
                return new Fields(where, place + inner + ".", flat);
            }
        }
        return new Fields(where, place, fields);
    }
}
