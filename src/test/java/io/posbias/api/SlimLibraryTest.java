package io.posbias.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.ParquetFiles;
import io.posbias.fetch.jars.LibraryJars;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program on the slim archive, which has no DuckDB: the interface of Java takes it from the home, as commands do. */
@Tag("slow")
class SlimLibraryTest {
    @TempDir
    Path temp;

    private static ClassLoader without(Path jar) throws Exception {
        List<URL> entries = new ArrayList<>();
        for (String entry :
                Objects.requireNonNull(System.getProperty("java.class.path")).split(File.pathSeparator, -1)) {
            if (!Path.of(entry).endsWith(jar.getFileName())) {
                entries.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(entries.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @Test
    void aBenchmarkInParquetIsRead() throws Exception {
        Path home = temp.resolve("home");
        Path jar = LibraryJars.DUCKDB.jar(Sessions.in(home));
        Path kept = LibraryJars.DUCKDB.pinned().in(home);
        Files.createDirectories(Objects.requireNonNull(kept.getParent()));
        Files.copy(jar, kept);
        Path benchmark = temp.resolve("own");
        Files.createDirectories(benchmark.resolve("qrels"));
        ParquetFiles.write(benchmark.resolve("corpus.parquet"), "SELECT 'p' AS _id, 'A text.' AS text", "zstd");
        Files.writeString(benchmark.resolve("queries.jsonl"), "{\"_id\": \"q\", \"text\": \"which\"}\n");
        Files.writeString(benchmark.resolve("qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq\tp\t1\n");
        ClassLoader slim = without(jar);
        Class<?> options = slim.loadClass(EvaluationOptions.class.getName());
        Object own = options.getMethod("withHome", Path.class)
                .invoke(options.getMethod("defaults").invoke(null), home);
        List<String> read = new ArrayList<>();
        BiConsumer<String, String> passage = (id, text) -> read.add(id + ": " + text);
        slim.loadClass(Posbias.class.getName())
                .getMethod("passages", String.class, BiConsumer.class, options)
                .invoke(null, benchmark.toString(), passage, own);
        assertThat(read).containsExactly("p: A text.");
        assertThat(home.resolve("native")).isDirectoryContaining("glob:**/duckdb_jdbc-*");
    }
}
