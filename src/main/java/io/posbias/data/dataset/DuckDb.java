package io.posbias.data.dataset;

import io.posbias.base.process.Session;
import io.posbias.fetch.jars.LibraryJars;
import io.posbias.fetch.jars.NativeLibraries;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB, as JDBC's list of drivers holds it for the whole process, since a native library is loaded once per process. The
 * library is loaded by the first connection, from the {@linkplain LibraryJars library's jar}, and its native part (60 MB)
 * comes from the library folder; DuckDB alone would unpack it to a temporary file in each process.
 */
final class DuckDb implements Driver {
    private static final String URL = "jdbc:io.posbias:duckdb";
    private static final String DRIVER = "org.duckdb.DuckDBDriver";
    private static final String IN_JAR = "libduckdb_java.so_";

    private final Session session;
    private @Nullable Driver loaded;

    private DuckDb(Session session) {
        this.session = session;
    }

    /** Takes the library from a session's home, unless the process has loaded it already. */
    static void libraryOf(Session session) throws SQLException {
        // The list itself loads all drivers of the class path, which the first session need not wait for.
        boolean first = System.getProperties().putIfAbsent(URL, "registered") == null;
        Optional<DuckDb> known = first ? Optional.empty() : known();
        if (known.isPresent() && !known.get().isLoaded()) {
            DriverManager.deregisterDriver(known.get());
        }
        if (known.isEmpty() || !known.get().isLoaded()) {
            DriverManager.registerDriver(new DuckDb(session));
        }
    }

    private static Optional<DuckDb> known() {
        return DriverManager.drivers()
                .filter(DuckDb.class::isInstance)
                .map(DuckDb.class::cast)
                .findFirst();
    }

    /** Opens an empty database whose results are streamed in file order. */
    static Connection connect() throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("jdbc_stream_results", "true");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("memory_limit", "1GB");
        settings.setProperty("threads", "1");
        Connection connection = DriverManager.getConnection(URL, settings);
        try (Statement statement = connection.createStatement()) {
            // Without this DuckDB spills to ".tmp" in the working folder.
            statement.execute("SET temp_directory = ''");
        }
        return connection;
    }

    private synchronized boolean isLoaded() {
        return loaded != null;
    }

    private synchronized Driver driver() {
        Driver known = loaded;
        if (known == null) {
            known = load(session);
            loaded = known;
        }
        return known;
    }

    private static Driver load(Session session) {
        String name = IN_JAR + platform();
        Path jar = LibraryJars.DUCKDB.jar(session);
        Path library = new NativeLibraries(session).unpack(jar, List.of(name)).resolve(name);
        try {
            // Stays open until the process ends: its classes are loaded when needed.
            Classes classes = new Classes(jar.toUri().toURL(), library);
            return (Driver) classes.loadClass(DRIVER).getDeclaredConstructor().newInstance();
        } catch (MalformedURLException | ReflectiveOperationException notDuckDb) {
            throw new IllegalStateException(notDuckDb);
        }
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (system.startsWith("mac")) {
            return "osx_universal";
        }
        String processor = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        return (system.startsWith("windows") ? "windows_" : "linux_") + processor;
    }

    static String problem(SQLException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    static Map<?, ?> fields(Object struct) throws SQLException {
        try {
            return (Map<?, ?>) struct.getClass().getMethod("getMap").invoke(struct);
        } catch (ReflectiveOperationException unreadable) {
            throw new SQLException(unreadable);
        }
    }

    /** Loads DuckDB's classes, and its native library from a file. */
    private static final class Classes extends URLClassLoader {
        private final Path library;

        Classes(URL jar, Path library) {
            super(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
            this.library = library;
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

    @Override
    public @Nullable Connection connect(String url, Properties settings) throws SQLException {
        return acceptsURL(url) ? driver().connect("jdbc:duckdb:", settings) : null;
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.equals(URL);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties settings) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }
}
