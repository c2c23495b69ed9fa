package io.posbias.fetch.jars;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.IoErrors;
import io.posbias.base.process.PosbiasException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A jar on Maven Central, or a part of one, downloaded to {@code jars} in posbias's home.
 *
 * @param classifier empty for the main jar; of a part its name
 * @param sha256 expected digest in lower case
 * @param bytes -1 if unknown
 * @param from where a part begins in the main jar; {@link #WHOLE} for a whole jar
 */
public record MavenJar(
        String group, String artifact, String version, String classifier, String sha256, long bytes, long from) {
    public static final long WHOLE = -1;

    private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]*";

    /** Validates coordinates and digest. */
    public MavenJar {
        if (!group.matches(NAME)
                || !artifact.matches(NAME)
                || !version.matches(NAME)
                || !(classifier.isEmpty() || classifier.matches(NAME))
                || !isSha256(sha256)) {
            throw new IllegalArgumentException(String.join(":", group, artifact, version, classifier) + " " + sha256);
        }
    }

    public MavenJar(String group, String artifact, String version, String classifier, String sha256, long bytes) {
        this(group, artifact, version, classifier, sha256, bytes, WHOLE);
    }

    /**
     * Parses {@code GROUP:ARTIFACT:VERSION[:CLASSIFIER] SHA-256 BYTES [FROM]}, as the build writes it.
     *
     * @throws IllegalArgumentException if the line has another form
     */
    static MavenJar parse(String line) {
        String[] fields = line.strip().split(" ", -1);
        String[] names = fields[0].split(":", -1);
        if (fields.length < 3 || fields.length > 4 || names.length < 3 || names.length > 4) {
            throw new IllegalArgumentException("not GROUP:ARTIFACT:VERSION[:CLASSIFIER] SHA-256 BYTES [FROM]: " + line);
        }
        return new MavenJar(
                names[0],
                names[1],
                names[2],
                names.length == 4 ? names[3] : "",
                fields[1],
                Long.parseLong(fields[2]),
                fields.length == 4 ? Long.parseLong(fields[3]) : WHOLE);
    }

    /**
     * Reads the jars that this build pins for a library: {@code NAME-jars.txt}, a line per jar.
     *
     * @throws PosbiasException if the build lacks the list
     */
    static List<MavenJar> pinned(String name) {
        String file = "/io/posbias/" + name + "-jars.txt";
        try (@Nullable InputStream in = MavenJar.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new PosbiasException("this build is not whole: it holds no " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(MavenJar::parse)
                    .toList();
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** True for a valid group, artifact or version. */
    public static boolean isName(String text) {
        return text.matches(NAME);
    }

    /** True for a valid digest. */
    public static boolean isSha256(String text) {
        return text.matches("[0-9a-f]{64}");
    }

    public String fileName() {
        return fileName(classifier);
    }

    private String fileName(String kind) {
        return artifact + "-" + version + (kind.isEmpty() ? "" : "-" + kind) + ".jar";
    }

    /**
     * Download address.
     *
     * @param repository without a slash at its end
     */
    public URI on(URI repository) {
        String onServer = fileName(from == WHOLE ? classifier : "");
        return URI.create(repository + "/" + group.replace('.', '/') + "/" + artifact + "/" + version + "/" + onServer);
    }

    /** Path in posbias's home. */
    public Path in(Path home) {
        return home.resolve("jars").resolve(fileName());
    }

    /** True if a file of this name and size was downloaded; the digest is not checked. */
    public boolean isLocal(Path home) {
        Path kept = in(home);
        return Files.isRegularFile(kept) && (bytes < 0 || IoErrors.call("read", kept, () -> Files.size(kept)) == bytes);
    }

    /** True if the file was downloaded and has the expected digest, which is computed each time: a jar is code. */
    public boolean isSound(Path home) {
        return isLocal(home) && Checksums.sha256(in(home)).equals(sha256);
    }

    @Override
    public String toString() {
        return group + ":" + artifact + ":" + version;
    }
}
