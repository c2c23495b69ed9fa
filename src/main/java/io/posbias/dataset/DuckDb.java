package io.posbias.dataset;

import io.posbias.LibraryJars;
import io.posbias.NativeLibraries;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Class loader of DuckDB's driver from the {@linkplain LibraryJars library's jar}. Takes the native library (60 MB)
 * from the library folder; DuckDB alone would unpack it to a temporary file in each process.
 */
final class DuckDb extends URLClassLoader {
    private static final String DRIVER = "org.duckdb.DuckDBDriver";
    private static final String IN_JAR = "libduckdb_java.so_";

    private static @Nullable Driver driver;

    private final Path library;

    private DuckDb(URL jar, Path library) {
        super(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
        this.library = library;
    }

    /** Opens an empty database whose results are streamed in file order. */
    static Connection connect() throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("jdbc_stream_results", "true");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("memory_limit", "1GB");
        settings.setProperty("threads", "1");
        Connection connection = driver().connect("jdbc:duckdb:", settings);
        try (Statement statement = connection.createStatement()) {
            // Without this DuckDB spills to ".tmp" in the working folder.
            statement.execute("SET temp_directory = ''");
        }
        return connection;
    }

    private static synchronized Driver driver() {
        Driver known = driver;
        if (known == null) {
            String name = IN_JAR + platform();
            // Stays open until the process ends: its classes are loaded when needed.
            Path jar = LibraryJars.DUCKDB.jar();
            Path library = NativeLibraries.unpack(jar, List.of(name)).resolve(name);
            try {
                DuckDb loader = new DuckDb(jar.toUri().toURL(), library);
                known = (Driver)
                        loader.loadClass(DRIVER).getDeclaredConstructor().newInstance();
            } catch (MalformedURLException | ReflectiveOperationException notDuckDb) {
                throw new IllegalStateException(notDuckDb);
            }
            driver = known;
        }
        return known;
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (system.startsWith("mac")) {
            return "osx_universal";
        }
        String processor = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        return (system.startsWith("windows") ? "windows_" : "linux_") + processor;
    }

    static Map<?, ?> fields(Object struct) throws SQLException {
        try {
            return (Map<?, ?>) struct.getClass().getMethod("getMap").invoke(struct);
        } catch (ReflectiveOperationException unreadable) {
            throw new SQLException(unreadable);
        }
    }

    @Override
    public @Nullable URL findResource(String name) {
        return name.startsWith(IN_JAR) ? null : super.findResource(name);
    }

    @Override
    protected String findLibrary(String name) {
        return library.toString();
    }
}
