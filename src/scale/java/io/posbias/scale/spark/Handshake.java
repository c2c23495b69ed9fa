package io.posbias.scale.spark;

import io.posbias.Checksums;
import io.posbias.Json;
import io.posbias.LockFile;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import io.posbias.Version;
import io.posbias.scale.SparkSettings;
import java.io.IOException;
import java.io.Serializable;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import org.apache.spark.SparkFiles;
import org.jspecify.annotations.Nullable;

/**
 * What an executor must have in common with the driver before it works for it, so that whoever differs is refused instead of
 * giving other numbers.
 *
 * @param build posbias's version and the digest of its jar
 * @param home posbias's folder, which all must see at this path; empty where executors have one of their own
 * @param mark what the driver read in a file of that folder: another folder of the same name has another
 */
record Handshake(String build, String home, String mark) implements Serializable {
    private static final String FILE = "spark/home-id";

    /** Among an executor's files of Spark, which are deleted with it. */
    private static final String OWN_HOME = "posbias-home";

    private static @Nullable String ownBuild;
    private static @Nullable Handshake agreed;

    /** The driver's side: marks the home, once for all runs. */
    static Handshake of(Path home) {
        Path absolute = home.toAbsolutePath().normalize();
        Path file = absolute.resolve(FILE);
        return Problems.got("write", file, () -> {
            if (!Files.exists(file)) {
                Files.createDirectories(file.getParent());
                Staging.replace(file, LockFile.random().getBytes(StandardCharsets.UTF_8));
            }
            return new Handshake(buildHere(), absolute.toString(), Files.readString(file));
        });
    }

    /** The same for executors that need not see the home. */
    Handshake apart() {
        return new Handshake(build, "", "");
    }

    /** Whether this process sees the driver's home. */
    boolean isSeen() {
        return mark.equals(read(Path.of(home).resolve(FILE)));
    }

    /**
     * The executor's side.
     *
     * @return its home
     * @throws PosbiasException what it has not in common with the driver
     */
    Path agree() {
        synchronized (Handshake.class) {
            if (!equals(agreed)) {
                check();
                agreed = this;
            }
        }
        return home.isEmpty()
                ? Path.of(SparkFiles.getRootDirectory(), OWN_HOME)
                        .toAbsolutePath()
                        .normalize()
                : Path.of(home);
    }

    private void check() {
        if (!buildHere().equals(build)) {
            throw new PosbiasException(
                    "it runs posbias " + buildHere() + ", the driver " + build + ": both need the same jar");
        }
        if (!home.isEmpty() && !isSeen()) {
            throw new PosbiasException("it does not see the driver's "
                    + Path.of(home).resolve(FILE)
                    + ": set POSBIAS_HOME to a folder that all machines share under one path, or have files sent with --conf "
                    + SparkSettings.SEND + "=true");
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unseen) {
            return "";
        }
    }

    private static synchronized String buildHere() {
        String known = ownBuild;
        if (known == null) {
            known = Version.text() + digest();
            ownBuild = known;
        }
        return known;
    }

    /** Classes in a folder are those of a build under development, of which there is one. */
    private static String digest() {
        CodeSource source = Json.class.getProtectionDomain().getCodeSource();
        try {
            Path jar = Path.of(source.getLocation().toURI());
            return Files.isRegularFile(jar) ? " (" + Checksums.sha256(jar).substring(0, 12) + ")" : "";
        } catch (URISyntaxException unreadable) {
            return "";
        }
    }
}
