package io.posbias.fetch.jars;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Checksums;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LibraryJarsTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void theJarOnTheClassPathIsTheOneThatWouldBeFetched(LibraryJars library) {
        MavenJar pinned = library.pinned();
        assertThat(library.jar(Sessions.shared()))
                .hasFileName(pinned.fileName())
                .hasSize(pinned.bytes());
        assertThat(Checksums.sha256(library.jar(Sessions.shared()))).isEqualTo(pinned.sha256());
    }

    /** Stands in for the downloader. */
    public static final class Fetched implements LibraryJars.Fetcher {
        @Override
        public List<Path> fetch(String library, List<MavenJar> jars, Session session) {
            return List.of(session.home().resolve(library + ".jar"));
        }
    }

    /** The class path of the slim archive, with another downloader. */
    private ClassLoader alone() throws IOException {
        Path service = temp.resolve("META-INF/services/" + LibraryJars.Fetcher.class.getName());
        Files.createDirectories(service.getParent());
        Files.writeString(service, Fetched.class.getName());
        List<URL> own = new ArrayList<>(List.of(temp.toUri().toURL()));
        for (String entry :
                Objects.requireNonNull(System.getProperty("java.class.path")).split(File.pathSeparator, -1)) {
            if (!entry.endsWith(".jar")) {
                own.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(own.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @Test
    void whatTheClassPathLacksIsFetched() throws Exception {
        ClassLoader alone = alone();
        Class<?> session = alone.loadClass(Session.class.getName());
        Object quiet = session.getMethod("quiet", Map.class, Path.class)
                .invoke(null, Map.of("POSBIAS_HOME", temp.toString()), temp);
        Class<?> jars = alone.loadClass(LibraryJars.class.getName());
        Object duckdb = Arrays.stream(jars.getEnumConstants())
                .filter(library -> library.toString().equals("DUCKDB"))
                .findFirst()
                .orElseThrow();
        assertThat(jars.getMethod("jar", session).invoke(duckdb, quiet))
                .isEqualTo(temp.resolve(LibraryJars.DUCKDB.pinned() + ".jar"));
    }
}
