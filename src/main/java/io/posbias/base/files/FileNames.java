package io.posbias.base.files;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Safe file names. Names from data (models in results, archive entries) become paths only through {@link
 * #inside}, which refuses names that leave the folder.
 */
public final class FileNames {
    private static final Pattern CODED = Pattern.compile("[ \\p{Cntrl}%#]");

    private FileNames() {}

    /**
     * Resolves a name inside a folder.
     *
     * @param name parts joined by {@code /}
     * @throws PosbiasException if a part is empty, {@code .}, {@code ..} or not a legal file name
     */
    public static Path inside(Path folder, String name) {
        if (!staysInside(name)) {
            throw refused(folder, name, "leads out of the folder, or cannot be that of a file");
        }
        return folder.resolve(name);
    }

    /**
     * Refuses equal names, whose files would overwrite each other.
     *
     * @param place option or file with the names, in errors
     * @param kind what they name, in errors
     * @throws UsageException for a name that comes twice
     */
    public static void requireDistinct(String place, String kind, Stream<String> names) {
        Set<String> seen = new HashSet<>();
        names.filter(name -> !seen.add(name)).findFirst().ifPresent(twice -> {
            throw new UsageException(place + " names two " + kind + "s called " + twice);
        });
    }

    /** Resolves a name of one part. */
    public static Path directlyIn(Path folder, String name) {
        if (name.contains("/")) {
            throw refused(folder, name, "is not that of one file or folder");
        }
        return inside(folder, name);
    }

    /** True if a name has only downward parts that the file system accepts. */
    public static boolean staysInside(String name) {
        return Arrays.stream(name.split("/", -1))
                        .noneMatch(
                                part -> part.isEmpty() || part.equals(".") || part.equals("..") || part.contains("\\"))
                && isPath(name);
    }

    /** Returns a path as a word of a command line. */
    public static String quoted(Path path) {
        return quoted(path.toString());
    }

    /** Returns a text as a word of a command line. */
    public static String quoted(String text) {
        return text.matches("[\\p{L}\\p{N}._/~+:@%=,\\\\-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** Returns a path with forward slashes, as on every system. */
    public static String slashed(Path path) {
        return path.toString().replace('\\', '/');
    }

    /**
     * Returns the path of a file below a folder as an identifier: with forward slashes, from the path's bytes whatever the
     * locale, and with {@code %XX} for spaces, control characters, {@code %}, {@code #} and bytes that are not UTF-8. Different
     * files have different ones.
     */
    public static String identifier(Path folder, Path file) {
        String coded = folder.toUri()
                .relativize(file.toAbsolutePath().normalize().toUri())
                .getRawPath();
        byte[] bytes = URLDecoder.decode(coded.replace("+", "%2B"), StandardCharsets.ISO_8859_1)
                .getBytes(StandardCharsets.ISO_8859_1);
        String name = new String(bytes, StandardCharsets.UTF_8);
        return Arrays.equals(name.getBytes(StandardCharsets.UTF_8), bytes)
                ? CODED.matcher(name)
                        .replaceAll(part -> URLEncoder.encode(part.group(), StandardCharsets.UTF_8)
                                .replace("+", "%20"))
                : coded;
    }

    /** True for a file with a part below a folder that begins with a dot, as those of notebooks, git and macOS. */
    public static boolean isHidden(Path folder, Path file) {
        for (Path part : folder.relativize(file)) {
            if (part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }

    /** Returns what is directly in a folder, by name. */
    public static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    /** Returns the regular files in a folder and below it, linked ones too, in the order of their paths. */
    public static List<Path> below(Path folder) throws IOException {
        return below(folder, Integer.MAX_VALUE);
    }

    /** @param depth 1 for the folder's own files */
    public static List<Path> below(Path folder, int depth) throws IOException {
        try (Stream<Path> walked = Files.walk(folder, depth, FileVisitOption.FOLLOW_LINKS)) {
            return walked.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /**
     * Returns the regular files in a folder and below it that are not hidden, in the order of their paths.
     *
     * @param depth 1 for the folder's own files
     */
    public static List<Path> visible(Path folder, int depth) throws IOException {
        try (Stream<Path> walked = Files.walk(folder, depth)) {
            return walked.filter(file -> Pointers.isFile(file) && !isHidden(folder, file))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Returns a text as the name of a file, with a number if an earlier text has its name.
     *
     * @param taken names in small letters, to which this one is added: some file systems do not tell capitals apart
     */
    public static String distinct(String text, Set<String> taken) {
        String safe = text.replaceAll("[^\\p{L}\\p{N}._-]", "-");
        String name = safe;
        for (int number = 2; !taken.add(name.toLowerCase(Locale.ROOT)); number++) {
            name = safe + "-" + number;
        }
        return name;
    }

    /** Returns true if a text can be a model's name, and so a folder of results. */
    public static boolean isModel(String text) {
        return text.matches("[\\p{L}\\p{N}._+-]+") && !text.startsWith(".");
    }

    /** Returns a text with underscores for what a model's name cannot contain; it may still begin with a dot. */
    public static String ofModel(String text) {
        return text.replaceAll("[^\\p{L}\\p{N}._+-]", "_");
    }

    private static boolean isPath(String text) {
        try {
            return !Path.of(text).isAbsolute();
        } catch (InvalidPathException impossible) {
            return false;
        }
    }

    /**
     * Parses a path of any location.
     *
     * @throws PosbiasException if it is not a legal path
     */
    public static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException impossible) {
            throw new PosbiasException(Printable.quoted(text) + " cannot be a path here", impossible);
        }
    }

    private static PosbiasException refused(Path folder, String name, String reason) {
        return new PosbiasException("cannot use " + Printable.quoted(name) + " in " + folder + ": the name " + reason);
    }

    /** Returns the jar of a resource of a class path; empty if it is not in a jar. */
    public static Optional<Path> jarOf(URL resource) {
        // jar:file:/folder/some.jar!/entry
        return resource.getProtocol().equals("jar")
                ? Optional.of(Path.of(URI.create(resource.getPath().split("!/", 2)[0])))
                : Optional.empty();
    }

    /** Returns the jar, or the folder of classes, that a class was loaded from. */
    public static Path holding(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
