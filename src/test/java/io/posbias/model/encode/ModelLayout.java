package io.posbias.model.encode;

import io.posbias.fetch.hub.FakeHub;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** Files of a model, as its repository on the Hub has them. */
public record ModelLayout(Map<String, byte[]> files) {
    private static final String MODULES = """
            [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
             {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
             {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]
            """;

    private static final String BERT = """
            {"architectures": ["BertModel"], "hidden_size": 384, "id2label": {"0": "LABEL_0"},
             "max_position_embeddings": 512, "model_type": "bert", "num_attention_heads": 12}
            """;

    private static final String VERSIONS = """
            {"__version__": {"sentence_transformers": "2.0.0", "transformers": "4.6.1", "pytorch": "1.8.1"}}
            """;

    /** all-MiniLM-L6-v2, with its graph and tokenizer. */
    public static ModelLayout miniLm() throws IOException {
        return new ModelLayout(Map.of())
                .with("modules.json", MODULES)
                .with("config.json", BERT)
                .with("config_sentence_transformers.json", VERSIONS)
                .with("sentence_bert_config.json", "{\"max_seq_length\": 256, \"do_lower_case\": false}")
                .with("1_Pooling/config.json", pooling("mean_tokens", 384))
                .with("README.md", "# A model card\n")
                .with("pytorch_model.bin", "a pickle")
                .with("onnx/model.onnx", resource("/all-minilm-l6-v2.onnx"))
                .with("tokenizer.json", resource("/all-minilm-l6-v2-tokenizer.json"));
    }

    /** e5-small-v2, with prompts and graphs of all precisions, all empty. */
    public static ModelLayout e5() {
        return new ModelLayout(Map.of())
                .with("modules.json", MODULES)
                .with("config.json", BERT)
                .with("config_sentence_transformers.json", """
                        {"prompts": {"query": "query: ", "passage": "passage: "}, "default_prompt_name": null,
                         "similarity_fn_name": "cosine"}
                        """)
                .with("sentence_bert_config.json", "{\"max_seq_length\": 512}")
                .with("1_Pooling/config.json", pooling("mean_tokens", 384))
                .with("onnx/model.onnx", "")
                .with("onnx/model.onnx_data", "")
                .with("onnx/model_fp16.onnx", "")
                .with("onnx/model_quantized.onnx", "")
                .with("tokenizer.json", "{}");
    }

    /** bge-small-en-v1.5, without a sentence_bert_config.json. */
    public static ModelLayout bge() {
        return new ModelLayout(Map.of())
                .with("modules.json", MODULES)
                .with("config.json", BERT)
                .with("config_sentence_transformers.json", VERSIONS)
                .with("tokenizer_config.json", "{\"model_max_length\": 512}")
                .with("1_Pooling/config.json", pooling("cls_token", 384))
                .with("onnx/model.onnx", "")
                .with("tokenizer.json", "{}");
    }

    /** A cross-encoder. */
    public static ModelLayout crossEncoder() {
        return new ModelLayout(Map.of())
                .with("config.json", """
                        {"architectures": ["BertForSequenceClassification"], "id2label": {"0": "LABEL_0"},
                         "max_position_embeddings": 512,
                         "sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"}
                        """)
                .with("tokenizer_config.json", "{\"model_max_length\": 64}")
                .with("onnx/model.onnx", "")
                .with("tokenizer.json", "{}");
    }

    /** A ColBERT of PyLate, whose projection is inside the graph. */
    public static ModelLayout colbert(int width) {
        return new ModelLayout(Map.of())
                .with("modules.json", """
                        [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}]
                        """)
                .with(
                        "config.json",
                        "{\"architectures\": [\"BertModel\"], \"hidden_size\": " + width
                                + ", \"max_position_embeddings\": 512}")
                .with("config_sentence_transformers.json", """
                        {"prompts": {}, "default_prompt_name": null, "similarity_fn_name": "MaxSim",
                         "query_prefix": "[q] ", "document_prefix": "[d] ", "query_length": 8, "document_length": 40,
                         "attend_to_expansion_tokens": false, "skiplist_words": ["!", "?"]}
                        """)
                .with("tokenizer_config.json", "{\"mask_token\": {\"content\": \"[MASK]\"}}")
                .with("onnx/model.onnx", "")
                .with("tokenizer.json", "{}");
    }

    /** The settings of a pooling module. */
    public static String pooling(String mode, int width) {
        return "{\"word_embedding_dimension\": " + width + ", \"pooling_mode_cls_token\": " + mode.equals("cls_token")
                + ", \"pooling_mode_mean_tokens\": " + mode.equals("mean_tokens")
                + ", \"pooling_mode_max_tokens\": " + mode.equals("max_tokens")
                + ", \"pooling_mode_mean_sqrt_len_tokens\": " + mode.equals("mean_sqrt_len_tokens") + "}";
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(ModelLayout.class.getResourceAsStream(name))) {
            return in.readAllBytes();
        }
    }

    /** Adds or replaces a file. */
    public ModelLayout with(String path, byte[] content) {
        Map<String, byte[]> more = new LinkedHashMap<>(files);
        more.put(path, content);
        return new ModelLayout(more);
    }

    /** Adds or replaces a text. */
    public ModelLayout with(String path, String content) {
        return with(path, content.getBytes(StandardCharsets.UTF_8));
    }

    /** Replaces a part of a text. */
    public ModelLayout with(String path, String from, String to) {
        String text = new String(Objects.requireNonNull(files.get(path)), StandardCharsets.UTF_8);
        if (!text.contains(from)) {
            throw new IllegalArgumentException(path + " lacks " + from);
        }
        return with(path, text.replace(from, to));
    }

    /** Removes a file. */
    public ModelLayout without(String path) {
        Map<String, byte[]> fewer = new LinkedHashMap<>(files);
        fewer.remove(path);
        return new ModelLayout(fewer);
    }

    /** Writes the files into a folder; returns it. */
    public Path write(Path folder) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path target = folder.resolve(file.getKey());
            Files.createDirectories(target.getParent());
            Files.write(target, file.getValue());
        }
        return folder;
    }

    /** Stores the files on a Hub. */
    public void store(FakeHub hub, String repository) {
        files.forEach((path, content) -> hub.storeModel(repository + "/" + path, content, content.length > 100_000));
    }
}
