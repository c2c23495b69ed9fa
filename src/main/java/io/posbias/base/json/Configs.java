package io.posbias.base.json;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
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
import java.util.stream.Stream;

/** Resources of the jar: {@code configs/} and {@code data/} of the repository. */
public final class Configs {
    private static final String ROOT = "/io/posbias/";

    /** The jar of the configurations, opened once and valid until the process ends. */
    private static final class Jar {
        static final FileSystem FILES = open();

        private static FileSystem open() {
            // Not by its address: a file system of an address belongs to all of the process, and anybody may close it.
            try {
                String file = Configs.class.getResource("Configs.class").toURI().getRawSchemeSpecificPart();
                return FileSystems.newFileSystem(Path.of(URI.create(file.substring(0, file.indexOf("!/")))), Map.of());
            } catch (IOException | URISyntaxException broken) {
                throw new IllegalStateException("cannot open the jar", broken);
            }
        }
    }

    private Configs() {}

    /**
     * Returns the names of a folder's YAML files, sorted.
     *
     * @param folder for example {@code configs/models}
     */
    public static List<String> names(String folder) {
        return names(folder, ".yaml");
    }

    /** Returns the names of a folder's files of an ending, sorted and without the ending. */
    public static List<String> names(String folder, String ending) {
        try (Stream<Path> files = Files.list(path(folder))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(ending))
                    .map(name -> name.substring(0, name.length() - ending.length()))
                    .sorted()
                    .toList();
        } catch (IOException broken) {
            throw new IllegalStateException("cannot list " + folder + " in the jar", broken);
        }
    }

    /**
     * Reads a recipe that an option names: a built-in one, case-insensitive, or the user's file.
     *
     * @param kind noun for errors, for example "model"
     * @param lister the command that lists the built-in names
     * @throws UsageException if the name is unknown or the file does not exist
     */
    public static Fields find(String kind, String folder, String nameOrFile, String lister) {
        if (isFile(nameOrFile)) {
            Path file = FileNames.path(nameOrFile);
            if (!Files.isRegularFile(file)) {
                String why = Files.isDirectory(file) ? "is a folder; give its .yaml file" : "file not found";
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

    /** Returns true if a text is a path to a YAML file, not the name of a built-in one. */
    public static boolean isFile(String words) {
        return words.endsWith(".yaml") || words.endsWith(".yml") || isPath(words);
    }

    /** Returns true if a text begins with a slash, dot or tilde, or contains a backslash. */
    public static boolean isPath(String words) {
        return words.startsWith("/") || words.startsWith(".") || words.startsWith("~") || words.indexOf('\\') >= 0;
    }

    /**
     * Opens a resource as a path, valid until the process ends.
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
            return "jar".equals(uri.getScheme()) ? Jar.FILES.getPath(ROOT + name) : Path.of(uri);
        } catch (URISyntaxException broken) {
            throw new IllegalStateException("cannot open " + name + " in the jar", broken);
        }
    }

    /** @param name for example {@code configs/models/bm25.yaml} */
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
