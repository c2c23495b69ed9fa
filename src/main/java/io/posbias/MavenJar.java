package io.posbias;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A jar on Maven Central, for files in it or for libraries that are left out of the small distribution. It is kept in
 * {@code jars} in posbias's folder.
 *
 * @param group its group id
 * @param artifact its artifact id
 * @param version its version
 * @param sha256 the digest that it must have, in lower case
 * @param bytes its size; -1 where nobody says
 */
public record MavenJar(String group, String artifact, String version, String sha256, long bytes) {
    private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]*";

    /** Refuses names that could lead out of a folder, and what is no SHA-256. */
    public MavenJar {
        if (!group.matches(NAME) || !artifact.matches(NAME) || !version.matches(NAME) || !isSha256(sha256)) {
            throw new IllegalArgumentException(group + ":" + artifact + ":" + version + " " + sha256);
        }
    }

    /** Whether a text can be part of a jar's name. */
    public static boolean isName(String text) {
        return text.matches(NAME);
    }

    /** Whether a text can be a digest. */
    public static boolean isSha256(String text) {
        return text.matches("[0-9a-f]{64}");
    }

    /** The name of its file. */
    public String fileName() {
        return artifact + "-" + version + ".jar";
    }

    /**
     * Its address.
     *
     * @param repository without a slash at its end
     */
    public URI on(URI repository) {
        return URI.create(
                repository + "/" + group.replace('.', '/') + "/" + artifact + "/" + version + "/" + fileName());
    }

    /**
     * Where it is kept.
     *
     * @param home posbias's folder
     */
    public Path in(Path home) {
        return home.resolve("jars").resolve(fileName());
    }

    /** Whether a file of its name and size is kept; what is in it is not looked at. */
    public boolean isHere(Path home) {
        Path kept = in(home);
        return Files.isRegularFile(kept) && (bytes < 0 || IoErrors.call("read", kept, () -> Files.size(kept)) == bytes);
    }

    /**
     * Whether it is kept and has its digest.
     *
     * @throws IOException if it cannot be read
     */
    public boolean isSound(Path home) throws IOException {
        return isHere(home) && Checksums.remembered(in(home), home).equals(sha256);
    }

    /** {@code GROUP:ARTIFACT:VERSION}. */
    @Override
    public String toString() {
        return group + ":" + artifact + ":" + version;
    }
}
