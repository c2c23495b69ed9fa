package io.posbias;

import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Libraries that the slim archive lacks. If the class path lacks one too, the pinned jar is downloaded from Maven
 * Central.
 */
public enum LibraryJars {
    DUCKDB("/org/duckdb/DuckDBDriver.class"),
    /** ONNX Runtime's native libraries; its classes are in every archive. */
    ONNXRUNTIME("/ai/onnxruntime/native/linux-x64/libonnxruntime.so");

    private static volatile @Nullable Fetcher fetcher;

    private final String resource;

    /** @param resource present in every version of the jar */
    LibraryJars(String resource) {
        this.resource = resource;
    }

    /** Downloads jars that are not on disk. */
    public interface Fetcher {
        /**
         * Returns the files of the jars, in their order.
         *
         * @param library its name, for messages
         */
        List<Path> fetch(String library, List<MavenJar> jars);
    }

    /** Sets the downloader. */
    public static void fetchWith(Fetcher how) {
        fetcher = how;
    }

    /**
     * Returns the files of jars, downloaded if need be.
     *
     * @throws PosbiasException if they cannot be downloaded
     */
    static List<Path> fetch(String library, List<MavenJar> jars) {
        Fetcher how = fetcher;
        if (how == null) {
            throw new PosbiasException(library + " is not on the class path");
        }
        return how.fetch(library, jars);
    }

    /**
     * Returns the library's jar.
     *
     * @throws PosbiasException if it is not on the class path and cannot be downloaded
     */
    public Path jar() {
        URL here = LibraryJars.class.getResource(resource);
        if (here != null) {
            // jar:file:/…/lib/NAME.jar!/RESOURCE
            return Path.of(URI.create(here.getPath().substring(0, here.getPath().length() - resource.length() - 1)));
        }
        return fetch(pinned().toString(), List.of(pinned())).getFirst();
    }

    /** The jar that posbias was built with. */
    MavenJar pinned() {
        return MavenJar.pinned(name().toLowerCase(Locale.ROOT)).getFirst();
    }
}
