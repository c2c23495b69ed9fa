package io.posbias;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LibraryJarsTest {
    @TempDir
    Path temp;

    /** What is fetched must be what posbias was built and tested with. */
    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void theJarOnTheClassPathIsTheOneThatWouldBeFetched(LibraryJars library) {
        MavenJar pinned = library.pinned();
        assertThat(library.jar()).hasFileName(pinned.fileName()).hasSize(pinned.bytes());
        assertThat(Checksums.sha256(library.jar())).isEqualTo(pinned.sha256());
    }

    /** The class as it is where the class path has posbias and nothing else. */
    private static Class<?> alone() {
        List<URL> own = new ArrayList<>();
        for (String entry :
                Objects.requireNonNull(System.getProperty("java.class.path")).split(java.io.File.pathSeparator, -1)) {
            if (!entry.endsWith(".jar")) {
                own.add(url(Path.of(entry)));
            }
        }
        try {
            return Class.forName(
                    LibraryJars.class.getName(),
                    true,
                    new URLClassLoader(own.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()));
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Test
    void whatTheClassPathLacksIsFetched() throws ReflectiveOperationException {
        Class<?> alone = alone();
        Object duckdb = Arrays.stream(alone.getEnumConstants())
                .filter(library -> library.toString().equals("DUCKDB"))
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(() -> alone.getMethod("jar").invoke(duckdb))
                .cause()
                .hasMessageMatching("org.duckdb:duckdb_jdbc:\\S+ .*class path");
        List<String> asked = new ArrayList<>();
        Class<?> fetcher = Class.forName(LibraryJars.Fetcher.class.getName(), true, alone.getClassLoader());
        Object fetch =
                Proxy.newProxyInstance(fetcher.getClassLoader(), new Class<?>[] {fetcher}, (self, method, given) -> {
                    asked.add(String.valueOf(given[0]));
                    return List.of(temp.resolve("fetched.jar"));
                });
        alone.getMethod("fetchWith", fetcher).invoke(null, fetch);
        assertThat(alone.getMethod("jar").invoke(duckdb)).isEqualTo(temp.resolve("fetched.jar"));
        assertThat(asked).containsExactly(LibraryJars.DUCKDB.pinned().toString());
    }
}
