package io.posbias.fetch.jars;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;

/** Jars that are downloaded on first use, from the class path of the tests. */
public final class PinnedJars {
    private PinnedJars() {}

    /** Puts the jars of libraries into a home, as a download does. */
    public static void keep(Path home, String... libraries) throws IOException {
        Files.createDirectories(home.resolve("jars"));
        for (String library : libraries) {
            for (MavenJar jar : MavenJar.pinned(library)) {
                Path own =
                        Collections.list(PinnedJars.class.getClassLoader().getResources("META-INF/MANIFEST.MF"))
                                .stream()
                                .map(URL::getPath)
                                .filter(path -> path.contains("/" + jar.fileName() + "!"))
                                .findFirst()
                                .map(path -> Path.of(URI.create(path.substring(0, path.indexOf('!')))))
                                .orElseThrow(() -> new AssertionError(jar + " is not on the class path"));
                Files.copy(own, jar.in(home));
            }
        }
    }
}
