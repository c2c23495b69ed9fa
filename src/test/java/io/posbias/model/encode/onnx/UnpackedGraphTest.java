package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedGraphTest {
    private static final String GRAPH = "models/own.onnx";

    @TempDir
    Path temp;

    private Path jar(String content) throws IOException {
        Path jar = temp.resolve("own-1.0.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry(GRAPH));
            zip.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    private Path unpacked(Path jar) {
        return UnpackedGraph.of(jar, GRAPH, temp.resolve("home")).orElseThrow();
    }

    @Test
    void aGraphIsUnpackedOnce() throws IOException {
        Path jar = jar("graph");
        Path file = unpacked(jar);
        assertThat(file).hasContent("graph").startsWith(temp.resolve("home/graphs/own-1.0"));
        Object written = Files.getLastModifiedTime(file);
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        assertThat(unpacked(jar)).isEqualTo(file);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(written);
        assertThat(Files.readAttributes(file, BasicFileAttributes.class).fileKey())
                .isEqualTo(key);
    }

    /** Of the same size, so that only its content shows it. */
    @Test
    void anotherFileIsReplaced() throws IOException {
        Path jar = jar("graph");
        Files.writeString(unpacked(jar), "grape");
        assertThat(unpacked(jar)).hasContent("graph");
        assertThat(unpacked(jar("newer"))).hasContent("newer");
    }

    @Test
    void withoutAHomeThereIsNoFile() throws IOException {
        Path home = Files.writeString(temp.resolve("file"), "not a folder");
        assertThat(UnpackedGraph.of(jar("graph"), GRAPH, home)).isEmpty();
        assertThat(UnpackedGraph.of(jar("graph"), "models/other.onnx", temp.resolve("home")))
                .isEmpty();
    }
}
