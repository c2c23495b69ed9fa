package io.posbias.scale.spark;

import io.posbias.Checksums;
import io.posbias.FileNames;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.spark.SparkFiles;

/**
 * A file that Spark brings to executors, which do not see it where it is.
 *
 * @param place where they look for it, in their home
 * @param name what Spark calls it
 * @param digest SHA-256 of what is in it
 */
record SentFile(String place, String name, String digest) implements Serializable {
    private static final int DIGITS = 16;

    /**
     * A file under a name of its own, as Spark knows files by their last names and models have many a {@code model.onnx}.
     *
     * @param names a folder for these
     */
    static SentFile of(Path file, String place, Path names) {
        String digest = Checksums.sha256(file);
        SentFile sent = new SentFile(place, digest.substring(0, DIGITS) + "-" + file.getFileName(), digest);
        Path link = sent.in(names);
        Problems.tried("write", link, () -> {
            if (!Files.exists(link)) {
                Files.createSymbolicLink(link, file.toRealPath());
            }
        });
        return sent;
    }

    /** The file by its name among those of Spark. */
    Path in(Path names) {
        return names.resolve(name);
    }

    /** Puts it where this process looks for it. */
    void placeIn(Path home) {
        Path target = FileNames.inside(home, place);
        synchronized (SentFile.class) {
            if (!Files.exists(target)) {
                put(Path.of(SparkFiles.get(name)), target);
            }
        }
    }

    private void put(Path received, Path target) {
        String own = Checksums.sha256(received);
        if (!own.equals(digest)) {
            throw new PosbiasException(
                    "what Spark brought of " + place + " has the SHA-256 " + own + " and not " + digest);
        }
        Problems.tried("write", target, () -> {
            Files.createDirectories(target.getParent());
            try {
                // No symbolic link: ONNX Runtime refuses weights that are in another folder than the graph.
                Files.createLink(target, received);
            } catch (IOException | UnsupportedOperationException noLinks) {
                Path part = target.resolveSibling(target.getFileName() + ".part");
                Files.copy(received, part, StandardCopyOption.REPLACE_EXISTING);
                Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            }
        });
    }
}
