package io.posbias;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What comes inside the jar: {@code configs/} and {@code data/} of the repository. */
public final class Configs {
    private static final String ROOT = "/io/posbias/";

    private Configs() {}

    /**
     * The YAML files of a folder inside the jar, by name without ending, in the order of their names.
     *
     * @param folder for example {@code configs/models}
     */
    public static List<String> names(String folder) {
        try (Stream<Path> files = Files.list(path(folder))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".yaml"))
                    .map(name -> name.substring(0, name.length() - ".yaml".length()))
                    .sorted()
                    .toList();
        } catch (IOException broken) {
            throw new IllegalStateException("cannot list " + folder + " in the jar", broken);
        }
    }

    /**
     * A file or folder inside the jar, as a path that can be read like any other while the process runs.
     *
     * @param name for example {@code data/demo}
     */
    public static Path path(String name) {
        URL url = Configs.class.getResource(ROOT + name);
        if (url == null) {
            throw new IllegalStateException("the jar holds no " + name);
        }
        try {
            URI uri = url.toURI();
            return "jar".equals(uri.getScheme()) ? jar(uri).getPath(ROOT + name) : Path.of(uri);
        } catch (IOException | URISyntaxException broken) {
            throw new IllegalStateException("cannot open " + name + " in the jar", broken);
        }
    }

    private static FileSystem jar(URI uri) throws IOException {
        try {
            return FileSystems.getFileSystem(uri);
        } catch (FileSystemNotFoundException notYetOpen) {
            return FileSystems.newFileSystem(uri, Map.of());
        }
    }

    /**
     * Reads a file inside the jar.
     *
     * @param name for example {@code configs/models/bm25.yaml}
     */
    public static byte[] read(String name) {
        try (InputStream in = Configs.class.getResourceAsStream(ROOT + name)) {
            if (in == null) {
                throw new IllegalStateException("the jar holds no " + name);
            }
            return in.readAllBytes();
        } catch (IOException broken) {
            throw new IllegalStateException("cannot read " + name + " in the jar", broken);
        }
    }
}
