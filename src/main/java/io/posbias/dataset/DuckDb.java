package io.posbias.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;

/** DuckDB as a reader of files: in memory, one thread, no extension and so no network, no spilling to disk. */
final class DuckDb {
    private DuckDb() {}

    /** A new connection to an empty database; results are streamed in the order of the file. */
    static Connection connect() throws SQLException {
        Properties settings = new Properties();
        settings.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("memory_limit", "1GB");
        settings.setProperty("threads", "1");
        Connection connection = DriverManager.getConnection("jdbc:duckdb:", settings);
        try (Statement statement = connection.createStatement()) {
            // Without this DuckDB spills to ".tmp" in the working folder.
            statement.execute("SET temp_directory = ''");
        }
        unlinkLibrary();
        return connection;
    }

    /**
     * DuckDB unpacks its library of 60 MB to a temporary file that only an orderly end deletes. Once it is loaded the
     * file is not needed any more: on Linux it is deleted here, so that a killed process leaves nothing behind.
     */
    private static void unlinkLibrary() {
        Path maps = Path.of("/proc/self/maps");
        if (!Files.isReadable(maps)) {
            return;
        }
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        try (Stream<String> lines = Files.lines(maps)) {
            for (String line :
                    lines.filter(line -> line.contains("/libduckdb_java")).toList()) {
                Path library = Path.of(line.substring(line.indexOf('/')).replace(" (deleted)", ""));
                if (library.startsWith(temporary)) {
                    Files.deleteIfExists(library);
                }
            }
        } catch (IOException kept) {
            // The orderly end deletes it.
        }
    }
}
