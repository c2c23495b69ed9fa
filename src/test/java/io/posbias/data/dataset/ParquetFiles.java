package io.posbias.data.dataset;

import io.posbias.base.process.Sessions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

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
}
