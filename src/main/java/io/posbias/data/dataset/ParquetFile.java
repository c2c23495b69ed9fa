package io.posbias.data.dataset;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.text.Printable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/** Writes Parquet through DuckDB in row order; equal rows give equal bytes. */
public final class ParquetFile {
    private static final int GROUP = 4096;

    private ParquetFile() {}

    /** Takes the library that reads Parquet from a session's home, unless this process has loaded it already. */
    public static void libraryOf(Session session) {
        try {
            DuckDb.libraryOf(session);
        } catch (SQLException refused) {
            throw new PosbiasException("cannot prepare the reading of Parquet: " + refused.getMessage(), refused);
        }
    }

    /**
     * Converts JSON lines to Parquet.
     *
     * @param columns names in order with DuckDB's types, for example {@code INTEGER[]}
     */
    public static void write(Path lines, SequencedMap<String, String> columns, Path file) {
        String types = columns.entrySet().stream()
                .map(column -> quoted(column.getKey()) + ": " + quoted(column.getValue()))
                .collect(Collectors.joining(", "));
        String rows = "SELECT * FROM read_json([" + quoted(ParquetRows.globEscaped(lines.toString()))
                + "], format='newline_delimited', columns={" + types + "})";
        try (Connection connection = DuckDb.connect();
                Statement copy = connection.createStatement()) {
            copy.execute("COPY (" + rows + ") TO " + quoted(file.toString())
                    + " (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE " + GROUP + ")");
        } catch (SQLException refused) {
            throw new PosbiasException(
                    "cannot write " + Printable.of(file.toString()) + ": " + Printable.of(DuckDb.problem(refused)),
                    refused);
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
