package io.posbias.data.dataset;

import io.posbias.base.process.Sessions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

public final class ParquetFiles {
    private ParquetFiles() {}

    public static Path write(Path file, String select, String codec) throws SQLException {
        ParquetFile.libraryOf(Sessions.shared());
        try (Connection connection = DuckDb.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (" + select + ") TO '" + file + "' (FORMAT parquet, COMPRESSION " + codec + ")");
        }
        return file;
    }

    /** Returns the types of the columns by their names. */
    public static Map<String, String> columns(Path file) throws SQLException {
        ParquetFile.libraryOf(Sessions.shared());
        Map<String, String> columns = new LinkedHashMap<>();
        try (Connection connection = DuckDb.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("DESCRIBE SELECT * FROM read_parquet('" + file + "')")) {
            while (rows.next()) {
                columns.put(rows.getString(1), rows.getString(2));
            }
        }
        return columns;
    }
}
