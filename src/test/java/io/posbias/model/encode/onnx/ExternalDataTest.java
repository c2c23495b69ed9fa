package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.StandIns;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs of scripts/tests/external_data_golden.py, which onnx's own writer made; ONNX Runtime reads w.data of each. */
class ExternalDataTest {
    @TempDir
    Path temp;

    private static byte[] graph(String place) throws IOException {
        String name = "external-data/" + place + ".onnx";
        try (InputStream in = Objects.requireNonNull(ExternalDataTest.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }

    private ModelFiles files(String source, String graph) {
        return files(source, graph, "tokenizer.json");
    }

    private ModelFiles files(String source, String graph, String tokenizer) {
        String recipe = "name: made\nmax-tokens: 8\nsource: {" + source + "}\nonnx: {float32: " + graph
                + "}\ntokenizer: " + tokenizer + "\n";
        return StandIns.dense(Json.parseYaml(temp.resolve("r.yaml"), recipe.getBytes(StandardCharsets.UTF_8)))
                .graph()
                .files();
    }

    private static String loaded(ModelFiles files, Path home) {
        try (OnnxModel model = files.load(OnnxRuntime.onCpu(Sessions.shared()), home)) {
            return model.sha256();
        }
    }

    /** The recipe does not name w.data; a file of equal size and time takes its place. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "initializer",
                "attribute",
                "subgraph-initializer",
                "subgraph-attribute",
                "sparse-values",
                "sparse-indices",
                "sparse-attribute",
                "function",
                "function-subgraph"
            })
    void allDataThatAGraphReadsIsInItsDigests(String place) throws IOException {
        Files.write(temp.resolve("model.onnx"), graph(place));
        Files.writeString(temp.resolve("tokenizer.json"), "{}");
        Path data = temp.resolve("w.data");
        byte[] numbers = new byte[32];
        Files.write(data, numbers);
        FileTime time = Files.getLastModifiedTime(data);
        ModelFiles files = files("folder: .", "model.onnx");
        String before = loaded(files, temp);
        Optional<String> own = files.ownDigest(temp);
        assertThat(loaded(files, temp)).isEqualTo(before);
        assertThat(own).contains(before);

        numbers[0] = 1;
        Files.write(data, numbers);
        Files.setLastModifiedTime(data, time);
        assertThat(loaded(files, temp)).isNotEqualTo(before);
        assertThat(files.ownDigest(temp)).isPresent().isNotEqualTo(own);
        Files.delete(data);
        assertThatThrownBy(() -> files.ownDigest(temp))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("model made", temp + "/w.data is missing");
    }

    private static byte[] named(String file) {
        return new OnnxGraph().external("w", file, 16, 4).toBytes();
    }

    private void refused(byte[] graph, String... words) throws IOException {
        Files.write(temp.resolve("model.onnx"), graph);
        Files.writeString(temp.resolve("tokenizer.json"), "{}");
        assertThatThrownBy(() -> files("folder: .", "model.onnx").ownDigest(temp))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void namesThatNoDigestCanCoverAreRefused() throws IOException {
        refused(named("../w.data"), "model.onnx", "\"../w.data\"", "model's folder");
        refused(named("/etc/passwd"), "\"/etc/passwd\"");
        // ONNX Runtime follows the link before it climbs.
        Files.createDirectories(temp.resolve("a/b"));
        Files.createSymbolicLink(temp.resolve("link"), Path.of("a/b"));
        Files.write(temp.resolve("w.data"), new byte[16]);
        refused(named("link/../w.data"), "\"link/../w.data\"");
        byte[] latin = named("w.data");
        latin[new String(latin, StandardCharsets.ISO_8859_1).indexOf("w.data")] = (byte) 0xe4;
        refused(latin, "UTF-8");
    }

    @Test
    void whatIsNoGraphIsRefused() throws IOException {
        byte[] sound = named("w.data");
        refused(new byte[0], "model.onnx", "no graph");
        refused(Arrays.copyOf(sound, sound.length - 30), "not a complete ONNX file");
        MessageWriter nested = new MessageWriter().number(20, 5);
        for (int level = 0; level < 60; level++) {
            MessageWriter graph = new MessageWriter().message(1, new MessageWriter().message(5, nested));
            nested = new MessageWriter().message(6, graph);
        }
        byte[] deep = new MessageWriter()
                .message(7, new MessageWriter().message(1, new MessageWriter().message(5, nested)))
                .toBytes();
        refused(deep, "deeper than 100 levels");
    }

    /** A graph in a jar has no folder: ONNX Runtime could look for its data anywhere. */
    @Test
    void aGraphInAJarHasItsWeightsInside() {
        String resource = "io/posbias/model/encode/onnx/external-data/attribute.onnx";
        assertThatThrownBy(() -> files("library: 'x:y'", resource).ownDigest(temp))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("attribute.onnx", "\"w.data\"", "source");
    }

    /** The class path comes first: its jar may be another one than the recipe names. */
    @Test
    void aJarOfTheClassPathIsTheNamedOneOnlyByItsDigest() {
        Recipe miniLm = RecipeBook.find("all-minilm-l6-v2-int8");
        assertThat(StandIns.dense(miniLm.settings()).graph().files().ownDigest(temp))
                .isEmpty();
        String other = "library: 'x:y', version: '1', sha256: '" + "a".repeat(64) + "'";
        assertThat(files(other, "all-minilm-l6-v2-q.onnx", "all-minilm-l6-v2-q-tokenizer.json")
                        .ownDigest(temp))
                .isPresent();
    }

    @Test
    void tensorsAreSkippedWherePartsOfThemLookLikeNames() {
        byte[] graph = new OnnxGraph().constant("w", new float[] {1, 2}, 2).toBytes();
        assertThat(ExternalData.files("x", ByteBuffer.wrap(graph))).isEmpty();
    }
}
