package io.posbias.fetch.jars;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Libraries that the slim archive lacks. If the class path lacks one too, the pinned jar is downloaded from Maven
 * Central.
 */
public enum LibraryJars {
    DUCKDB("/org/duckdb/DuckDBDriver.class"),
    /** ONNX Runtime's native libraries; its classes are in every archive. */
    ONNXRUNTIME("/ai/onnxruntime/native/linux-x64/libonnxruntime.so");

    private final String resource;

    /** @param resource present in every version of the jar */
    LibraryJars(String resource) {
        this.resource = resource;
    }

    /** Downloads jars that are not on disk; found as a service, since it is further up in the house. */
    public interface Fetcher {
        /**
         * Returns the files of the jars, in their order.
         *
         * @param library its name, for messages
         */
        List<Path> fetch(String library, List<MavenJar> jars, Session session);
    }

    /**
     * Returns the files of jars, downloaded if need be.
     *
     * @throws PosbiasException if they cannot be downloaded
     */
    static List<Path> fetch(String library, List<MavenJar> jars, Session session) {
        return ServiceLoader.load(Fetcher.class, LibraryJars.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new PosbiasException(library + " is not on the class path"))
                .fetch(library, jars, session);
    }

    /**
     * Loads the jars that this build pins for a library on top of posbias's own classes; missing ones are downloaded.
     *
     * @param library its name, for messages
     * @param pinned name of the list of its jars
     * @param others files that are loaded before them
     * @throws PosbiasException if they cannot be downloaded
     */
    public static ClassLoader loader(String library, String pinned, List<Path> others, Session session) {
        URL[] urls = Stream.concat(others.stream(), fetch(library, MavenJar.pinned(pinned), session).stream())
                .map(file -> IoErrors.call("read", file, () -> file.toUri().toURL()))
                .toArray(URL[]::new);
        return new URLClassLoader(library, urls, LibraryJars.class.getClassLoader());
    }

    /**
     * Returns the library's jar.
     *
     * @throws PosbiasException if it is not on the class path and cannot be downloaded
     */
    public Path jar(Session session) {
        return Optional.ofNullable(LibraryJars.class.getResource(resource))
                .flatMap(FileNames::jarOf)
                .orElseGet(() ->
                        fetch(pinned().toString(), List.of(pinned()), session).getFirst());
    }

    /** The jar that posbias was built with. */
    public MavenJar pinned() {
        return MavenJar.pinned(name().toLowerCase(Locale.ROOT)).getFirst();
    }
}
