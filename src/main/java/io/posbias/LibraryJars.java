package io.posbias;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Libraries that the slim distribution leaves out, since most commands need none of them. Where the class path has one its jar
 * is used; else the very jar that the build had is fetched from Maven Central.
 */
public enum LibraryJars {
    /** DuckDB, for Parquet. */
    DUCKDB("/org/duckdb/DuckDBDriver.class"),
    /** ONNX Runtime's native libraries, of all platforms; its classes are in every distribution. */
    ONNXRUNTIME("/ai/onnxruntime/native/linux-x64/libonnxruntime.so");

    /** Written by the build: for each library its coordinates, SHA-256 and size. */
    private static final String PINNED = "library-jars.properties";

    private static volatile @Nullable Function<MavenJar, Path> fetch;

    private final String resource;

    /** @param resource what every version of the jar has */
    LibraryJars(String resource) {
        this.resource = resource;
    }

    /** Says how jars are fetched from now on; before that none are. */
    public static void fetchWith(Function<MavenJar, Path> how) {
        fetch = how;
    }

    /**
     * The library's jar.
     *
     * @throws PosbiasException if the class path has none, and it cannot be fetched
     */
    public Path jar() {
        URL here = LibraryJars.class.getResource(resource);
        if (here != null) {
            // jar:file:/…/lib/NAME.jar!/RESOURCE
            return Path.of(URI.create(here.getPath().substring(0, here.getPath().length() - resource.length() - 1)));
        }
        Function<MavenJar, Path> how = fetch;
        if (how == null) {
            throw new PosbiasException(pinned() + " is not on the class path");
        }
        return how.apply(pinned());
    }

    /** The jar that the build had. */
    MavenJar pinned() {
        Properties all = new Properties();
        try (@Nullable InputStream in = LibraryJars.class.getResourceAsStream(PINNED)) {
            if (in == null) {
                throw new PosbiasException("this build is not whole: it holds no " + PINNED);
            }
            all.load(in);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        String[] words =
                all.getProperty(name().toLowerCase(Locale.ROOT), "").strip().split("[: ]", -1);
        if (words.length != 5) {
            throw new IllegalStateException(PINNED + " does not say which jar " + this + " is");
        }
        return new MavenJar(words[0], words[1], words[2], words[3], Long.parseLong(words[4]));
    }
}
