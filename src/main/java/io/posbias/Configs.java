package io.posbias;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What comes inside the jar: {@code configs/} and {@code data/} of the repository. */
public final class Configs {
    private static final String ROOT = "/io/posbias/";

    /** The names in folders that were listed: what is inside the jar stays as it is. */
    private static final Map<String, List<String>> NAMES = new ConcurrentHashMap<>();

    private static @Nullable FileSystem jar;

    private Configs() {}

    /**
     * The YAML files of a folder inside the jar, by name without ending, in the order of their names.
     *
     * @param folder for example {@code configs/models}
     */
    public static List<String> names(String folder) {
        return NAMES.computeIfAbsent(folder, Configs::list);
    }

    private static List<String> list(String folder) {
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
     * The YAML record that an option names: one inside the jar, in upper or lower case, or the user's own file.
     *
     * @param kind what it is, in the singular, as errors say it
     * @param folder for example {@code configs/models}
     * @param lister the command that lists the names
     * @throws UsageException if there is no such name or file
     */
    public static Fields find(String kind, String folder, String nameOrFile, String lister) {
        if (isFile(nameOrFile)) {
            Path file = FileNames.path(nameOrFile);
            if (!Files.isRegularFile(file)) {
                String why = Files.isDirectory(file) ? "is a folder; give its .yaml file" : "no such file";
                throw new UsageException("no " + kind + " " + Printable.cut(nameOrFile) + ": " + why);
            }
            return Json.readYaml(file);
        }
        List<String> known = names(folder);
        Optional<String> meant = Suggestions.meant(nameOrFile, known);
        if (meant.isEmpty() && Files.exists(FileNames.path(nameOrFile))) {
            throw new UsageException(Printable.cut(nameOrFile) + " is a file of another kind: a " + kind
                    + " is a name from '" + lister + "' or a .yaml file");
        }
        String name = meant.orElseThrow(() -> new UsageException(
                Suggestions.unknown(kind, nameOrFile, known, lister) + "; or give the path of a .yaml file"));
        String path = folder + "/" + name + ".yaml";
        return Json.parseYaml(Path.of(path), read(path));
    }

    /** Whether words name a file of the user's and nothing in the jar: they end in .yaml or .yml, or begin as paths do. */
    public static boolean isFile(String words) {
        return words.endsWith(".yaml") || words.endsWith(".yml") || isPath(words);
    }

    /** Whether words begin as no name does, but paths do: with a slash, a dot or a tilde. */
    public static boolean isPath(String words) {
        return words.startsWith("/") || words.startsWith(".") || words.startsWith("~") || words.indexOf('\\') >= 0;
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

    /** Opened once in a process, whoever else opens the same jar meanwhile. */
    private static synchronized FileSystem jar(URI uri) throws IOException {
        FileSystem known = jar;
        if (known == null) {
            // Not by its address: a file system of an address belongs to all of the process, and anybody may close it.
            String file = uri.getRawSchemeSpecificPart();
            known = FileSystems.newFileSystem(Path.of(URI.create(file.substring(0, file.indexOf("!/")))), Map.of());
            jar = known;
        }
        return known;
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
