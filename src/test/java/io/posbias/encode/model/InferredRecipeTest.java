package io.posbias.encode.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.encode.ModelLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The fields that files of five layouts give, and what is wrong with missing and contradictory files. */
class InferredRecipeTest {
    private static final String MODULES = "modules.json";
    private static final String CONFIG = "config.json";
    private static final String SETTINGS = "config_sentence_transformers.json";
    private static final String POOLING = "1_Pooling/config.json";
    private static final String LENGTHS = "sentence_bert_config.json";

    @TempDir
    Path temp;

    private SequencedMap<String, @Nullable Object> record(ModelLayout layout) throws IOException {
        ModelFolder folder = new ModelFolder(
                "owner/model",
                layout.write(temp),
                layout.files().keySet().stream().sorted().toList());
        return InferredRecipe.of(folder, "model", Map.of("folder", ".")).record();
    }

    private static Map<String, Object> expected(String yaml) {
        return Map.copyOf(
                Json.parseYaml(Path.of("expected.yaml"), yaml.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .toMap());
    }

    @Test
    void e5HasPromptsAndGraphsOfAllPrecisions() throws IOException {
        assertThat(record(ModelLayout.e5())).isEqualTo(expected("""
                name: model
                kind: dense
                family: dense
                description: "owner/model, inferred from its files"
                source: {folder: .}
                onnx: {float32: onnx/model.onnx, float16: onnx/model_fp16.onnx, int8: onnx/model_quantized.onnx}
                external-data: {float32: [onnx/model.onnx_data]}
                tokenizer: tokenizer.json
                max-tokens: 512
                pooling: mean
                normalise: true
                similarity: cosine
                query-prompt: "query: "
                document-prompt: "passage: "
                dimension: 384
                transformer: {family: bert, heads: 12}
                """));
    }

    /** TorchScript is a program: a repository cannot name one, only a recipe can. */
    @Test
    void noFileMakesARecipeNameTorchScript() throws IOException {
        assertThat(record(ModelLayout.bge()
                        .with("x.torchscript", new byte[9])
                        .with(
                                "config.json",
                                "\"model_type\"",
                                "\"transformer\": {\"torchscript\": \"x.torchscript\"}, \"model_type\"")
                        .with("modules.json", "\"idx\": 0", "\"idx\": 0, \"torchscript\": \"x.torchscript\"")))
                .isEqualTo(record(ModelLayout.bge()))
                .asString()
                .doesNotContainIgnoringCase("torchscript");
    }

    @Test
    void bgePoolsTheFirstToken() throws IOException {
        assertThat(record(ModelLayout.bge()))
                .containsEntry("pooling", "cls")
                .containsEntry("max-tokens", 512)
                .containsEntry("query-prompt", "")
                .containsKey("unknown");
    }

    @Test
    void aCrossEncoderHasOneLabel() throws IOException {
        assertThat(record(ModelLayout.crossEncoder())).isEqualTo(expected("""
                name: model
                kind: cross-encoder
                family: reranker
                description: "owner/model, inferred from its files"
                source: {folder: .}
                onnx: {float32: onnx/model.onnx}
                tokenizer: tokenizer.json
                max-tokens: 64
                activation: none
                truncation: longest-first
                first-stage: bm25
                """));
    }

    @Test
    void colbertHasMarkersAndLengths() throws IOException {
        assertThat(record(ModelLayout.colbert(16))).isEqualTo(expected("""
                name: model
                kind: late-interaction
                family: late-interaction
                description: "owner/model, inferred from its files"
                source: {folder: .}
                onnx: {float32: onnx/model.onnx}
                tokenizer: tokenizer.json
                query-marker: "[q] "
                document-marker: "[d] "
                query-length: 8
                query-expansion: true
                mask-token: "[MASK]"
                attend-to-expansion: false
                max-tokens: 40
                skip: ["!", "?"]
                skip-lookup: token
                normalise: true
                score: sum
                dimension: 16
                """));
    }

    @Test
    void aDenseModuleIsAHead() throws IOException {
        String dense =
                "{\"idx\": 2, \"path\": \"2_Dense\", \"type\": \"sentence_transformers.models.Dense\"}, {\"idx\": 2";
        ModelLayout layout = ModelLayout.bge()
                .with(MODULES, "{\"idx\": 2", dense)
                .with("2_Dense/config.json", """
                        {"in_features": 384, "out_features": 128, "bias": true,
                         "activation_function": "torch.nn.modules.activation.Tanh"}
                        """)
                .with("2_Dense/model.safetensors", "");
        assertThat(record(layout))
                .containsEntry("dimension", 128)
                .containsEntry(
                        "head",
                        Map.of("file", "2_Dense/model.safetensors", "bias", "linear.bias", "activation", "tanh"))
                .doesNotContainKey("transformer");
        assertThatThrownBy(() -> record(layout.with("2_Dense/config.json", "384", "768")))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("2_Dense/config.json", "in_features", "768", "384");
    }

    @Test
    void settingsOfOtherVersionsMeanTheSame() throws IOException {
        ModelLayout layout = ModelLayout.e5()
                .with(POOLING, "{\"embedding_dimension\": 384, \"pooling_mode\": \"lasttoken\"}")
                .with(LENGTHS, "{}")
                .with("tokenizer_config.json", "{\"model_max_length\": 1024}")
                .with(SETTINGS, "{\"prompts\": {\"all\": \"read: \"}, \"default_prompt_name\": \"all\"}");
        assertThat(record(layout))
                .containsEntry("pooling", "last")
                .containsEntry("max-tokens", 512)
                .containsEntry("query-prompt", "read: ")
                .containsEntry("document-prompt", "read: ");
    }

    @Test
    void onlyVectorsThatAreNotNormalisedNeedASimilarity() throws IOException {
        ModelLayout layout = ModelLayout.e5().with(MODULES, """
                [{"path": "", "type": "sentence_transformers.models.Transformer"},
                 {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]
                """);
        assertThat(record(layout)).containsEntry("normalise", true).containsEntry("similarity", "cosine");
        assertThat(record(layout.with(SETTINGS, "\"cosine\"", "\"dot\"")))
                .containsEntry("normalise", false)
                .containsEntry("similarity", "dot");
        assertThatThrownBy(() -> record(layout.with(SETTINGS, "{}")))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(SETTINGS, "similarity_fn_name", MODULES);
    }

    /** A layout, and what its error must name. */
    static Stream<Arguments> broken() {
        ModelLayout e5 = ModelLayout.e5();
        ModelLayout cross = ModelLayout.crossEncoder();
        ModelLayout colbert = ModelLayout.colbert(16);
        return Stream.of(
                Arguments.of(e5.without(MODULES), List.of(CONFIG, "architectures", MODULES)),
                Arguments.of(e5.without(CONFIG), List.of(CONFIG)),
                Arguments.of(e5.without(POOLING), List.of(POOLING)),
                Arguments.of(e5.without("tokenizer.json"), List.of("tokenizer.json")),
                Arguments.of(e5.without(LENGTHS), List.of("tokenizer_config.json", "model_max_length")),
                Arguments.of(e5.with(MODULES, "{"), List.of(MODULES)),
                Arguments.of(e5.with(MODULES, "models.Normalize", "models.CNN"), List.of(MODULES, "CNN")),
                Arguments.of(
                        e5.with(MODULES, "models.Pooling", "models.Dense"), List.of(MODULES, SETTINGS, "query_prefix")),
                Arguments.of(e5.with(POOLING, ModelLayout.pooling("none", 384)), List.of(POOLING, "pooling_mode")),
                Arguments.of(
                        e5.with(POOLING, "cls_token\": false", "cls_token\": true"),
                        List.of(POOLING, "pooling_mode", "cls", "mean")),
                Arguments.of(
                        e5.with(POOLING, ModelLayout.pooling("mean_sqrt_len_tokens", 384)),
                        List.of(POOLING, "pooling_mode", "mean_sqrt_len_tokens")),
                Arguments.of(
                        e5.with(POOLING, "384", "768"),
                        List.of(POOLING, "word_embedding_dimension", "768", CONFIG, "384")),
                Arguments.of(
                        e5.with(LENGTHS, "512", "8192"), List.of(LENGTHS, "max_seq_length", "8192", CONFIG, "512")),
                Arguments.of(
                        e5.with(LENGTHS, "512", "512, \"do_lower_case\": true"), List.of(LENGTHS, "do_lower_case")),
                Arguments.of(
                        e5.with(CONFIG, "BertModel", "BertForSequenceClassification"),
                        List.of(CONFIG, "architectures", MODULES)),
                Arguments.of(
                        e5.with(SETTINGS, "\"cosine\"", "\"euclidean\""),
                        List.of(SETTINGS, "similarity_fn_name", "euclidean")),
                Arguments.of(
                        e5.with(SETTINGS, "\"passage\": ", "\"document\": \"\", \"passage\": "),
                        List.of(SETTINGS, "prompts.document", "passage")),
                Arguments.of(
                        e5.with(SETTINGS, "{\"prompts\": {\"s2s\": \"x\"}}"),
                        List.of(SETTINGS, "prompts.query", "s2s")),
                Arguments.of(
                        e5.with(SETTINGS, "{", "{\"query_prefix\": \"[Q] \", "),
                        List.of(SETTINGS, "query_prefix", MODULES)),
                Arguments.of(
                        cross.with(CONFIG, "\"0\": \"LABEL_0\"", "\"0\": \"a\", \"1\": \"b\""),
                        List.of(CONFIG, "id2label", "2")),
                Arguments.of(cross.with(CONFIG, "linear.Identity", "Softmax"), List.of(CONFIG, "activation")),
                Arguments.of(
                        cross.with("tokenizer_config.json", "64", "1e30"),
                        List.of("tokenizer_config.json", "model_max_length")),
                Arguments.of(colbert.with(SETTINGS, "document_prefix", "prefix"), List.of(SETTINGS, "document_prefix")),
                Arguments.of(colbert.with(SETTINGS, "query_length", "length"), List.of(SETTINGS, "query_length")),
                Arguments.of(colbert.with(SETTINGS, "skiplist_words", "words"), List.of(SETTINGS, "skiplist_words")),
                Arguments.of(
                        colbert.with("tokenizer_config.json", "{}"), List.of("tokenizer_config.json", "mask_token")),
                Arguments.of(
                        colbert.with(SETTINGS, "40", "4000"),
                        List.of(SETTINGS, "document_length", "4000", CONFIG, "512")));
    }

    @ParameterizedTest
    @MethodSource
    void broken(ModelLayout layout, List<String> named) {
        assertThatThrownBy(() -> record(layout))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(named.toArray(String[]::new));
    }

    @Test
    void withoutAGraphTheExportCommandIsNamed() {
        assertThatThrownBy(() -> record(ModelLayout.bge().without("onnx/model.onnx")))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(
                        "onnx/model.onnx", "python3 scripts/export_onnx.py owner/model --kind dense --out ");
    }
}
