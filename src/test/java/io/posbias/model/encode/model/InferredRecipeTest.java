package io.posbias.model.encode.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.ModelLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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
        return InferredRecipe.of(folder, "model", Map.of("folder", "."), null).record();
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
    void noFileOfNormalizeIsRead() throws IOException {
        assertThat(record(ModelLayout.bge().with("2_Normalize/config.json", "[]")))
                .isEqualTo(record(ModelLayout.bge()));
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

    /** Since sentence-transformers 5.4 all types have modules and name themselves. */
    @Test
    void aCrossEncoderWithModulesHasTheSameRecipe() throws IOException {
        ModelLayout today =
                ModelLayout.crossEncoder().with(MODULES, """
                        [{"idx": 0, "name": "0", "path": "",
                          "type": "sentence_transformers.base.modules.transformer.Transformer"}]
                        """).with("config_sentence_transformers.json", """
                        {"model_type": "CrossEncoder", "prompts": {}, "default_prompt_name": null,
                         "activation_fn": "torch.nn.modules.linear.Identity"}
                        """);
        assertThat(record(today)).isEqualTo(record(ModelLayout.crossEncoder()));
        assertThat(record(today.with("config_sentence_transformers.json", "linear.Identity", "activation.Sigmoid")))
                .containsEntry("activation", "sigmoid");
        assertThatThrownBy(() -> record(today.with("config_sentence_transformers.json", """
                        {"model_type": "CrossEncoder", "prompts": {"q": "Rank: "}, "default_prompt_name": "q"}
                        """)))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("default_prompt_name");
    }

    private static ModelLayout multiVector(String lengths) {
        return new ModelLayout(Map.of())
                .with(MODULES, """
                        [{"path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"},
                         {"path": "1_Dense", "type": "sentence_transformers.base.modules.dense.Dense"},
                         {"path": "2_MultiVectorMask",
                          "type": "sentence_transformers.multi_vector_encoder.modules.multi_vector_mask.MultiVectorMask"},
                         {"path": "3_Normalize", "type": "sentence_transformers.base.modules.normalize.Normalize"}]
                        """)
                .with("config.json", "{\"hidden_size\": 16, \"max_position_embeddings\": 64}")
                .with("config_sentence_transformers.json", """
                        {"model_type": "MultiVectorEncoder", "prompts": {"query": "[Q] ", "document": "[D] "},
                         "similarity_fn_name": "maxsim"}
                        """)
                .with("sentence_bert_config.json", lengths)
                .with("tokenizer_config.json", "{\"model_max_length\": 48, \"mask_token\": \"[MASK]\"}")
                .with("1_Dense/config.json", """
                        {"in_features": 16, "out_features": 8, "bias": false,
                         "activation_function": "torch.nn.modules.linear.Identity"}
                        """)
                .with("1_Dense/model.safetensors", "")
                .with(
                        "2_MultiVectorMask/config.json",
                        "{\"skiplist_words\": [\".\"], \"skiplist_tasks\": [\"document\"]}")
                .with("onnx/model.onnx", "")
                .with("tokenizer.json", "{}");
    }

    @Test
    void colbertOfSentenceTransformersHasPromptsAndAMask() throws IOException {
        assertThat(record(multiVector("""
                        {"query_length": 32, "document_length": 40,
                         "query_expansion": {"strategy": "fixed", "attend": true, "token": null, "length": 12}}
                        """))).isEqualTo(expected("""
                name: model
                kind: late-interaction
                family: late-interaction
                description: "owner/model, inferred from its files"
                source: {folder: .}
                onnx: {float32: onnx/model.onnx}
                tokenizer: tokenizer.json
                query-prompt: "[Q] "
                document-prompt: "[D] "
                query-length: 12
                query-expansion: true
                mask-token: "[MASK]"
                attend-to-expansion: true
                max-tokens: 40
                skip: ["."]
                skip-lookup: token
                normalise: true
                score: sum
                head: {file: 1_Dense/model.safetensors}
                dimension: 8
                """));
        assertThat(record(multiVector("{}")))
                .containsEntry("query-expansion", false)
                .containsEntry("max-tokens", 48)
                .doesNotContainKey("query-length");
        assertThatThrownBy(() -> record(multiVector("{\"query_expansion\": {\"strategy\": \"min\", \"length\": 9}}")))
                .hasMessageContaining("query_expansion.strategy");
    }

    @Test
    void optimumWritesIntoTheRoot() throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>(ModelLayout.bge().files());
        files.remove("onnx/model.onnx");
        assertThat(record(new ModelLayout(files).with("model.onnx", "").with("model.onnx_data", "")))
                .containsEntry("onnx", Map.of("float32", "model.onnx"))
                .containsEntry("external-data", Map.of("float32", List.of("model.onnx_data")));
    }

    @Test
    void severalPoolingsKeepTheirOrder() throws IOException {
        ModelLayout words = ModelLayout.bge().with("1_Pooling/config.json", """
                {"embedding_dimension": 384, "pooling_mode": ["mean", "cls"], "include_prompt": false}
                """);
        assertThat(record(words))
                .containsEntry("pooling", List.of("mean", "cls"))
                .containsEntry("pool-prompt", false)
                .containsEntry("dimension", 768);
        ModelLayout flags = ModelLayout.bge().with("1_Pooling/config.json", """
                {"word_embedding_dimension": 384, "pooling_mode_weightedmean_tokens": true, "pooling_mode_cls_token": true,
                 "pooling_mode_max_tokens": false}
                """);
        assertThat(record(flags)).containsEntry("pooling", List.of("cls", "weighted-mean"));
    }

    /** A tokenizer without a limit leaves it to the positions, of which RoBERTa reads two less than it has. */
    @Test
    void positionsCountWhereTheTokenizerHasNoLimit() throws IOException {
        ModelLayout unlimited = ModelLayout.bge().with("tokenizer_config.json", "{\"model_max_length\": 1e30}");
        assertThat(record(unlimited)).containsEntry("max-tokens", 512);
        ModelLayout roberta = unlimited.with(
                "config.json", "\"model_type\": \"bert\"", "\"model_type\": \"roberta\", \"pad_token_id\": 1");
        assertThat(record(roberta)).containsEntry("max-tokens", 510);
        assertThat(record(roberta.with("sentence_bert_config.json", "{\"max_seq_length\": 512}")))
                .containsEntry("max-tokens", 510);
        assertThat(record(roberta.with("sentence_bert_config.json", "{\"max_seq_length\": 128}")))
                .containsEntry("max-tokens", 128);
        assertThatThrownBy(() -> record(roberta.with("sentence_bert_config.json", "{\"query_length\": 32}")))
                .hasMessageContainingAll("query_length", "st:");
        ModelLayout neither = unlimited.with("config.json", "\"max_position_embeddings\": 512, ", "");
        assertThatThrownBy(() -> record(neither)).hasMessageContaining("max_position_embeddings");
    }

    @Test
    void twoDenseModulesAreTwoHeads() throws IOException {
        String layer = """
                {"in_features": %s, "out_features": %s, "bias": false,
                 "activation_function": "torch.nn.modules.linear.Identity"}
                """;
        ModelLayout layout = ModelLayout.bge()
                .with(MODULES, "{\"idx\": 2", """
                        {"path": "2_Dense", "type": "sentence_transformers.models.Dense"},
                        {"path": "3_Dense", "type": "sentence_transformers.models.Dense"}, {"idx": 2""")
                .with("2_Dense/config.json", layer.formatted(384, 1000))
                .with("2_Dense/model.safetensors", "")
                .with("3_Dense/config.json", layer.formatted(1000, 384))
                .with("3_Dense/model.safetensors", "");
        assertThat(record(layout))
                .containsEntry(
                        "head",
                        List.of(
                                Map.of("file", "2_Dense/model.safetensors"),
                                Map.of("file", "3_Dense/model.safetensors")))
                .containsEntry("dimension", 384);
        assertThatThrownBy(() -> record(layout.with("3_Dense/config.json", layer.formatted(999, 384))))
                .hasMessageContaining("in_features");
        assertThatThrownBy(() -> record(
                        layout.without("3_Dense/model.safetensors").with("3_Dense/pytorch_model.bin", "a pickle")))
                .hasMessageContainingAll("3_Dense/pytorch_model.bin", "safetensors");
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
                Arguments.of(e5.with(MODULES, "{"), List.of(MODULES)),
                Arguments.of(e5.with(MODULES, "models.Normalize", "models.CNN"), List.of(MODULES, "CNN")),
                Arguments.of(
                        e5.with(MODULES, "models.Pooling", "models.Dense"), List.of(MODULES, SETTINGS, "query_prefix")),
                Arguments.of(e5.with(POOLING, ModelLayout.pooling("none", 384)), List.of(POOLING, "pooling_mode")),
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
