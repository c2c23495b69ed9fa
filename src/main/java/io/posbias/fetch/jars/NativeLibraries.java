package io.posbias.fetch.jars;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.files.Temporary;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Unpacks native libraries once, instead of to a temporary file per process. Existing files are compared with the
 * jar's, byte by byte, and replaced if they differ; files that the jar lacks are deleted.
 *
 * @param session whose home has the folder {@code native}
 */
public record NativeLibraries(Session session) {
    private static final int PIECE = 1 << 20;

    /** A library that another process unpacks at this moment. */
    private static final Pattern PART = Pattern.compile("\\.posbias-.+-[0-9a-f]{16}");

    /**
     * Unpacks libraries from a class path.
     *
     * @param resources names in one jar, without a leading slash; missing ones are skipped
     * @return the folder, named after the jar
     * @throws PosbiasException if all are missing, or neither this folder nor the temporary one is writable
     */
    public Path unpack(ClassLoader classPath, List<String> resources) {
        List<URL> found = resources.stream()
                .map(classPath::getResource)
                .filter(Objects::nonNull)
                .toList();
        if (found.isEmpty()) {
            throw new PosbiasException(
                    "no native library for this platform: " + resources.getFirst() + " is in no jar");
        }
        try {
            Path folder = session.home().resolve("native").resolve(jar(found));
            deleteOthers(
                    folder,
                    name -> resources.stream()
                            .anyMatch(own ->
                                    classPath.getResource(own.substring(0, own.lastIndexOf('/') + 1) + name) != null));
            return unpack(found, folder);
        } catch (IOException refused) {
            // A folder that may only be read, or is full.
        }
        try {
            return unpack(found, Staging.temporary("native", session.shutdown()).folder());
        } catch (IOException refused) {
            throw Temporary.refused(refused);
        }
    }

    /** Unpacks libraries from a jar, as from a class path. */
    public Path unpack(Path jar, List<String> resources) {
        return IoErrors.call("read", jar, () -> {
            try (URLClassLoader inside =
                    new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
                return unpack(inside, resources);
            }
        });
    }

    /** Deletes files that the jar lacks, which a library might load. */
    private void deleteOthers(Path folder, Predicate<String> isOwn) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        for (Path file : FileNames.in(folder)) {
            String name = String.valueOf(file.getFileName());
            if (!isOwn.test(name) && !PART.matcher(name).matches()) {
                session.say(file + " is not of this library: deleted");
                Staging.deleteTree(file);
            }
        }
    }

    private static String jar(List<URL> found) throws IOException {
        for (URL library : found) {
            if (library.openConnection() instanceof JarURLConnection inside) {
                String path = inside.getJarFileURL().getPath();
                return path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\.jar$", "");
            }
        }
        return "classes";
    }

    private Path unpack(List<URL> found, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (URL library : found) {
            String path = library.getPath();
            Path file = folder.resolve(path.substring(path.lastIndexOf('/') + 1));
            Staging.deleteLeft(file);
            boolean isThere = Files.isRegularFile(file);
            if (isThere && isSame(library, file)) {
                continue;
            }
            if (isThere) {
                session.say(file + " is not the library of its jar, or is damaged: replaced");
            }
            try (InputStream in = library.openStream()) {
                Staging.replace(file, in::transferTo);
            }
        }
        return folder;
    }

    private static boolean isSame(URL library, Path file) throws IOException {
        if (Files.size(file) != library.openConnection().getContentLengthLong()) {
            return false;
        }
        try (InputStream expected = library.openStream();
                InputStream found = Files.newInputStream(file)) {
            byte[] own = expected.readNBytes(PIECE);
            while (own.length > 0) {
                if (!Arrays.equals(own, found.readNBytes(PIECE))) {
                    return false;
                }
                own = expected.readNBytes(PIECE);
            }
            return true;
        }
    }
}
