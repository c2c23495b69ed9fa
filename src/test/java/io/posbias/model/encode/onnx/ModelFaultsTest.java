package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.model.DenseEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFaultsTest {
    private static final byte[] LOOKUP = StandIns.lookup(StandIns.table(StandIns.VOCABULARY));

    @TempDir
    Path temp;

    private String failure(byte[] graph, String settings, String... texts) {
        PosbiasException failure = org.junit.jupiter.api.Assertions.assertThrows(PosbiasException.class, () -> {
            try (DenseEncoder encoder = StandIns.open(temp, graph, StandIns.PLAIN + settings)) {
                StandIns.encode(encoder, Role.PASSAGE, texts);
            }
        });
        assertThat(failure.line().lines()).hasSize(1);
        return failure.line();
    }

    @Test
    void anotherDimensionThanTheRecipes() {
        assertThat(failure(LOOKUP, "dimension: 3\n")).contains("dimension 3", "gives 2");
    }

    @Test
    void aQueryEncoderOfAnotherDimension() throws IOException {
        Files.write(temp.resolve("query.onnx"), StandIns.narrowVectors());
        assertThat(failure(LOOKUP, "query-encoder:\n  onnx:\n    float32: query.onnx\n"))
                .contains("of 1 numbers", "of 2");
    }

    @Test
    void poolingThatDoesNotFitTheGraph() {
        assertThat(failure(LOOKUP, "pooling: none\n")).contains("every token", "pooling: none");
        assertThat(failure(StandIns.pooled(), "pooling: mean\n")).contains("every text", "pooling: none");
    }

    @Test
    void anInputThatNobodyKnows() {
        assertThat(failure(StandIns.strange(), "")).contains("model.onnx", "\"token_colour\"", "supported are");
    }

    @Test
    void anOutputThatIsNotThere() {
        assertThat(failure(LOOKUP, "output: pooler_output\n"))
                .contains("model.onnx", "no output pooler_output", "last_hidden_state");
        assertThat(failure(StandIns.twoOutputs(), ""))
                .contains("model.onnx", "left, right", "last_hidden_state", "token_embeddings", "'output: ");
        try (DenseEncoder encoder = StandIns.open(temp, StandIns.twoOutputs(), StandIns.PLAIN + "output: right\n")) {
            assertThat(StandIns.encode(encoder, Role.QUERY, "a b c")[0]).containsExactly(-4.6f, -1);
        }
    }

    @Test
    void aSessionThatFails() {
        // The table ends before "h".
        byte[] graph = StandIns.lookup(StandIns.table(StandIns.VOCABULARY - 1));
        assertThat(failure(graph, "", "a", "a b h"))
                .contains("model.onnx", "batch of 1 text", "5 tokens")
                .contains("out of data bounds");
    }

    @Test
    void numbersThatAreNone() {
        float[] table = StandIns.table(StandIns.VOCABULARY);
        table[2 * 12] = Float.NaN;
        assertThat(failure(StandIns.lookup(table), "", "a", "b h")).isEqualTo("the model gave a vector with NaN in it");
        table[2 * 12] = Float.NEGATIVE_INFINITY;
        assertThat(failure(StandIns.lookup(table), "", "a", "b h")).contains("-Infinity");
    }

    @Test
    void aFileThatIsNoGraph() {
        assertThat(failure(new byte[] {1, 2, 3}, "")).startsWith("cannot load the graph " + temp + "/model.onnx: ");
        assertThat(failure(StandIns.external("weights.data"), ""))
                .startsWith("cannot load the graph " + temp + "/model.onnx: ")
                .contains("weights.data");
    }

    @Test
    void filesThatAreMissing() throws IOException {
        assertThat(failure(LOOKUP, "external-data: weights.data\n"))
                .isEqualTo("model stand-in is not installed: " + temp + "/weights.data is missing; the recipe " + temp
                        + "/recipe.yaml expects it there");
        assertThat(missing("hub: some/model"))
                .contains(
                        "model made",
                        temp + "/models/made/model.onnx",
                        "'posbias models pull " + temp + "/r.yaml'",
                        "Hub");
        assertThat(missing("export: some/model"))
                .contains(
                        "model made",
                        temp + "/models/made/model.onnx",
                        "some/model",
                        "scripts/export_onnx.py " + temp + "/r.yaml --out " + temp + "/models/made",
                        "docs/own-model.md#export");
        assertThat(missing("library: 'x:y'"))
                .contains("model made", "model.onnx", "x:y", "POSBIAS_CLASSPATH", "sha256");
        assertThat(missing("library: 'x:y', version: '1', sha256: '" + "a".repeat(64) + "'"))
                .contains(
                        "model made",
                        temp + "/jars/y-1.jar",
                        "'posbias models pull " + temp + "/r.yaml'",
                        "Maven Central");
    }

    private ModelFiles files(String source, String more) {
        return StandIns.dense(Json.parseYaml(
                        temp.resolve("r.yaml"),
                        ("name: made\nsource: {" + source + "}\nonnx: {float32: model.onnx}\nmax-tokens: 8\n" + more)
                                .getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .graph()
                .files();
    }

    private String missing(String source) {
        PosbiasException failure = org.junit.jupiter.api.Assertions.assertThrows(
                PosbiasException.class,
                () -> files(source, "")
                        .load(OnnxRuntime.onCpu(Sessions.shared()), temp)
                        .close());
        return failure.line();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pytorch_model.bin", "a/model.PT", "x.pkl", "w.npz"})
    void picklesAreRefused(String file) {
        assertThatThrownBy(() -> files("folder: .", "external-data: " + file + "\n"))
                .hasMessageContainingAll("\"external-data\"", file, "pickles");
        assertThatThrownBy(() -> StandIns.open(temp, LOOKUP, StandIns.PLAIN + "head: {file: " + file + "}\n"))
                .hasMessageContaining("pickles");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x.onnx", "/etc/passwd", "a/../../x", "''"})
    void pathsThatClimbOutAreRefused(String file) {
        String name = file.equals("''") ? "" : file;
        for (String field : List.of("tokenizer: " + file, "external-data: [" + file + "]")) {
            if (field.equals("tokenizer: ''")) {
                continue;
            }
            assertThatThrownBy(() -> files("folder: .", field + "\n"))
                    .hasMessageContainingAll(
                            "\"" + field.substring(0, field.indexOf(':')) + "\"",
                            "\"" + name + "\"",
                            "inside the model's folder");
        }
        assertThatThrownBy(() -> StandIns.open(
                        temp, LOOKUP, StandIns.PLAIN + "query-encoder: {onnx: {float32: " + file + "}}\n"))
                .hasMessageEndingWith("files must be inside the model's folder");
        assertThatThrownBy(() -> StandIns.open(temp, LOOKUP, StandIns.PLAIN + "head: {file: " + file + "}\n"))
                .hasMessageEndingWith("files must be inside the model's folder");
    }

    @Test
    void aSourceIsOnePlace() {
        assertThatThrownBy(() -> files("", "")).hasMessageContainingAll("\"source\"", "names no source");
        assertThatThrownBy(() -> files("hub: a/b, folder: .", ""))
                .hasMessageContaining("field \"source\" names several sources");
        assertThatThrownBy(() -> files("hub: '../x'", ""))
                .hasMessageContainingAll("\"source.hub\" is \"../x\"", "OWNER/NAME");
        assertThatThrownBy(() -> files("hub: a/b, version: '1'", ""))
                .hasMessageContainingAll("\"source.version\"", "no meaning with hub");
        assertThatThrownBy(() -> files("library: 'x:y', version: '1'", ""))
                .hasMessageContaining("\"source.sha256\" is missing");
        assertThatThrownBy(() -> files("library: 'x:y', version: '1', sha256: 'A1'", ""))
                .hasMessageContainingAll("\"source.sha256\" is \"A1\"", "64 digits in lower case");
        assertThatThrownBy(() -> files("library: 'x:y:z', version: '1', sha256: 'A1'", ""))
                .hasMessageContainingAll("\"source.library\" is \"x:y:z\"", "GROUP:ARTIFACT");
        assertThatThrownBy(() -> files("library: 'x:y', version: '../1', sha256: 'A1'", ""))
                .hasMessageContainingAll("\"source.version\" is \"../1\"", "Maven Central");
        assertThatThrownBy(() -> files("hub: a/b", "precision: int8\n"))
                .hasMessageContainingAll("precision int8", "float32");
        assertThatThrownBy(() -> files("hub: a/b", "precision: int4\n"))
                .hasMessageContaining("field \"precision\" is \"int4\"");
    }

    @Test
    void digestsChangeWithEveryFile() throws IOException {
        StandIns.write(temp, LOOKUP, StandIns.PLAIN);
        String before = digest();
        assertThat(digest()).isEqualTo(before);
        byte[] tokenizer = Files.readAllBytes(temp.resolve("tokenizer.json"));
        Files.write(temp.resolve("tokenizer.json"), Arrays.copyOf(tokenizer, tokenizer.length + 1));
        assertThat(digest()).isNotEqualTo(before);
    }

    private String digest() {
        try (OnnxModel model = files("folder: .", "").load(OnnxRuntime.onCpu(Sessions.shared()), temp)) {
            return model.sha256();
        }
    }
}
