package io.posbias.data.dataset;

import io.posbias.base.files.Pointers;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Location;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Struct;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a Parquet file, streamed through DuckDB in file order: in process, one thread, no extension, no network,
 * no spill to disk.
 */
record ParquetRows(Path path) implements RowFile {
    @Override
    public void forEach(Consumer<Fields> consumer) {
        Pointers.refuse(path);
        try (Connection connection = DuckDb.connect();
                PreparedStatement select = connection.prepareStatement("SELECT * FROM read_parquet(?)")) {
            select.setString(1, globEscaped(path.toString()));
            try (ResultSet rows = select.executeQuery()) {
                ResultSetMetaData columns = rows.getMetaData();
                for (long row = 1; rows.next(); row++) {
                    consumer.accept(new Fields(new Location(path, row), read(rows, columns)));
                }
            }
        } catch (SQLException broken) {
            throw new BadInputException(
                    Location.of(path),
                    "not a readable Parquet file: " + DuckDb.problem(broken),
                    "fetch or make the file again",
                    broken);
        }
    }

    /** Escapes {@code * ? [}, which DuckDB expands in file names. */
    static String globEscaped(String path) {
        return path.replaceAll("[*?\\[]", "[$0]");
    }

    private static Map<String, @Nullable Object> read(ResultSet rows, ResultSetMetaData columns) throws SQLException {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            row.put(columns.getColumnName(column), plain(rows.getObject(column)));
        }
        return row;
    }

    private static @Nullable Object plain(@Nullable Object value) throws SQLException {
        if (value instanceof Array array) {
            List<@Nullable Object> list = new ArrayList<>();
            for (Object element : Arrays.asList((Object[]) array.getArray())) {
                list.add(plain(element));
            }
            return list;
        }
        if (value instanceof Struct struct) {
            Map<String, @Nullable Object> record = new LinkedHashMap<>();
            for (Map.Entry<?, ?> field : DuckDb.fields(struct).entrySet()) {
                record.put(String.valueOf(field.getKey()), plain(field.getValue()));
            }
            return record;
        }
        return value;
    }
}
