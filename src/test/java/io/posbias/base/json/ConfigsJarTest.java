package io.posbias.base.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files inside the jar, read from a jar: tests run from folders, where there is no file system to open. */
class ConfigsJarTest {
    private static final int TRIES = 20;
    private static final int THREADS = 4;

    @TempDir
    Path temp;

    private URL jar() throws IOException, URISyntaxException {
        Path classes = Path.of(Configs.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path jar = temp.resolve("a folder").resolve("posbias.jar");
        Files.createDirectories(jar.getParent());
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
                Stream<Path> base = Files.walk(classes.resolve("io/posbias/base"));
                Stream<Path> experiments = Files.walk(classes.resolve("io/posbias/configs/experiments"))) {
            List<Path> files = Stream.concat(base, experiments)
                    .filter(Files::isRegularFile)
                    .toList();
            zip.putNextEntry(new ZipEntry("io/posbias/configs/experiments/"));
            for (Path file : files) {
                zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                Files.copy(file, zip);
            }
        }
        return jar.toUri().toURL();
    }

    /** Two threads, or two copies of posbias in one process, opened the same jar at the same time. */
    @Test
    void aJarIsOpenedByManyAtOnce() throws Exception {
        URL jar = jar();
        try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < TRIES; i++) {
                List<Callable<String>> calls = new ArrayList<>();
                for (int thread = 0; thread < THREADS; thread++) {
                    calls.add(() -> names(jar));
                }
                for (Future<String> names : pool.invokeAll(calls)) {
                    assertThat(names.get()).contains("demo");
                }
            }
        }
    }

    private static String names(URL jar) throws ReflectiveOperationException, IOException {
        URL[] others = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(path -> path.endsWith(".jar"))
                .map(path -> {
                    try {
                        return Path.of(path).toUri().toURL();
                    } catch (IOException broken) {
                        throw new UncheckedIOException(broken);
                    }
                })
                .toArray(URL[]::new);
        try (URLClassLoader libraries = new URLClassLoader(others, ClassLoader.getPlatformClassLoader());
                URLClassLoader own = new URLClassLoader(new URL[] {jar}, libraries)) {
            Class<?> configs = Class.forName(Configs.class.getName(), true, own);
            return configs.getMethod("names", String.class)
                    .invoke(null, "configs/experiments")
                    .toString();
        }
    }
}
