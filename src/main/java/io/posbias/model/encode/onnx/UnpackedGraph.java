package io.posbias.model.encode.onnx;

import io.posbias.base.files.Staging;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A graph in a jar, unpacked once into the folder {@code graphs} of posbias's home: ONNX Runtime opens a file faster than bytes, and
 * with half the memory. The file is compared with the jar's by size and CRC-32 whenever it is opened, and replaced if it differs.
 */
final class UnpackedGraph {
    private UnpackedGraph() {}

    /** Returns the file; empty if the jar lacks the graph, or the home may only be read or is full. */
    static Optional<Path> of(Path jar, String graph, Path home) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            ZipEntry entry = zip.getEntry(graph);
            if (entry == null) {
                return Optional.empty();
            }
            Path file = home.resolve("graphs")
                    .resolve(String.valueOf(jar.getFileName()).replaceFirst("\\.jar$", ""))
                    .resolve(graph);
            if (!isSame(file, entry)) {
                Files.createDirectories(file.getParent());
                try (InputStream in = zip.getInputStream(entry)) {
                    Staging.replace(file, in::transferTo);
                }
            }
            return Optional.of(file);
        } catch (IOException refused) {
            return Optional.empty();
        }
    }

    private static boolean isSame(Path file, ZipEntry entry) throws IOException {
        if (!Files.isRegularFile(file) || Files.size(file) != entry.getSize()) {
            return false;
        }
        CRC32 found = new CRC32();
        try (InputStream in = new CheckedInputStream(Files.newInputStream(file), found)) {
            byte[] buffer = new byte[1 << 20];
            while (in.read(buffer) >= 0) {
                // The stream sums what is read.
            }
        }
        return found.getValue() == entry.getCrc();
    }
}
