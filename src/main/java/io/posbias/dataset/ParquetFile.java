package io.posbias.dataset;

import io.posbias.PosbiasException;
import io.posbias.Printable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/** Parquet files, written through DuckDB in the order of the rows; the same rows give the same bytes. */
public final class ParquetFile {
    /** Rows that are in memory at once: documents of some kilobytes each. */
    private static final int GROUP = 4096;

    private ParquetFile() {}

    /**
     * Writes the rows of a file of JSON lines.
     *
     * @param lines JSON lines
     * @param columns the fields that become columns, in order, with DuckDB's names of their types, such as {@code VARCHAR} or
     *     {@code INTEGER[]}
     * @param file to write
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
            String problem =
                    String.valueOf(refused.getMessage()).lines().findFirst().orElse("");
            throw new PosbiasException(
                    "cannot write " + Printable.of(file.toString()) + ": " + Printable.of(problem), refused);
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
