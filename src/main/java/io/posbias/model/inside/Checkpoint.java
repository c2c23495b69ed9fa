package io.posbias.model.inside;

import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.model.Pooling;
import io.posbias.model.encode.onnx.LinearHead.HeadSettings;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.Safetensors;
import io.posbias.model.encode.onnx.Template;
import io.posbias.model.encode.onnx.Tokenizer;
import io.posbias.model.encode.onnx.Weight;
import io.posbias.model.retrieve.DenseRecipe;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A dense recipe of a {@link Family} as a folder that sentence-transformers loads: the weights of its ONNX or safetensors files,
 * its tokenizer, pooling, head, prompts and limits.
 *
 * @param recipe with a family
 */
record Checkpoint(DenseRecipe recipe, Engine engine) {
    /** Name of the table of token embeddings. */
    private static final String TABLE = "embeddings.word_embeddings.weight";

    private static final String LAYER = "encoder.layer.";
    private static final String MODULES = "sentence_transformers.models.";
    private static final String WEIGHTS = "model.safetensors";
    private static final String CONFIG = "config.json";

    /**
     * Writes the encoder of a role.
     *
     * @param folder that exists
     * @throws PosbiasException if the files do not hold the weights of the recipe's family
     */
    void write(Path folder, Role role) {
        DenseSettings settings = recipe.model();
        ModelFiles files = settings.graph().files();
        ModelFiles queries = settings.queryFiles();
        Architecture architecture = Architecture.of(recipe);
        SequencedMap<String, List<Integer>> shapes = weights(
                folder,
                role == Role.QUERY && queries != null
                        ? as -> WeightFiles.ofGraph(queries, TABLE, engine, as)
                        : as -> WeightFiles.read(files, architecture, TABLE, engine, as));
        write(folder, CONFIG, config(architecture, shapes));
        put(folder.resolve("tokenizer.json"), files.read(files.tokenizer(), engine.home()));
        write(folder, "tokenizer_config.json", tokenizer(files));
        write(
                folder,
                "sentence_bert_config.json",
                Map.of("max_seq_length", settings.graph().maxTokens()));
        write(
                folder,
                "config_sentence_transformers.json",
                Map.of(
                        "prompts",
                        Map.of("query", settings.queryPrompt(), "document", settings.documentPrompt()),
                        "similarity_fn_name",
                        settings.graph().normalise() ? "cosine" : "dot"));
        modules(folder, files, Objects.requireNonNull(shapes.get(TABLE)).get(1));
    }

    /** Reads the weights of an encoder, one at a time. */
    @FunctionalInterface
    private interface WeightReader {
        SequencedMap<String, List<Integer>> each(Function<Weight, List<Integer>> as);
    }

    /** Writes the weights one by one, since all may not fit into memory, and returns their shapes. */
    private SequencedMap<String, List<Integer>> weights(Path folder, WeightReader read) {
        SequencedMap<String, List<Integer>> shapes = read.each(Weight::shape);
        if (!shapes.containsKey(TABLE)) {
            throw new PosbiasException(recipe.name() + ": its files hold no weight " + TABLE);
        }
        Path file = folder.resolve(WEIGHTS);
        IoErrors.run("write", file, () -> {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
                Safetensors.writeHeader(shapes, out);
                read.each(weight -> {
                    try {
                        weight.write(out);
                    } catch (IOException refused) {
                        throw new UncheckedIOException(refused);
                    }
                    return weight.shape();
                });
            }
        });
        return shapes;
    }

    private Map<String, Object> config(Architecture architecture, Map<String, List<Integer>> shapes) {
        boolean isRoberta = architecture.family() == Family.ROBERTA;
        List<Integer> table = shape(TABLE, shapes);
        int layers = 0;
        while (shapes.containsKey(LAYER + layers + ".output.dense.weight")) {
            layers++;
        }
        if (table.get(1) % architecture.heads() != 0) {
            throw new PosbiasException("transformer.heads is " + architecture.heads() + ", which does not divide the "
                    + table.get(1) + " numbers of a token's vector");
        }
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("model_type", isRoberta ? "roberta" : "bert");
        config.put("vocab_size", table.get(0));
        config.put("hidden_size", table.get(1));
        config.put("num_hidden_layers", layers);
        config.put("num_attention_heads", architecture.heads());
        config.put(
                "intermediate_size",
                shape(LAYER + "0.intermediate.dense.weight", shapes).get(0));
        config.put(
                "max_position_embeddings",
                shape("embeddings.position_embeddings.weight", shapes).get(0));
        config.put(
                "type_vocab_size",
                shape("embeddings.token_type_embeddings.weight", shapes).get(0));
        config.put("layer_norm_eps", architecture.epsilon());
        config.put("hidden_act", "gelu");
        // RoBERTa's positions begin behind it.
        config.put("pad_token_id", isRoberta ? 1 : 0);
        return config;
    }

    private List<Integer> shape(String weight, Map<String, List<Integer>> shapes) {
        List<Integer> shape = shapes.get(weight);
        if (shape == null || shape.size() != 2) {
            throw new PosbiasException(
                    recipe.name() + ": the model's file holds no matrix " + weight + "; is transformer.family right?");
        }
        return shape;
    }

    private Map<String, Object> tokenizer(ModelFiles files) {
        try (Tokenizer tokenizer = files.tokenizer(engine.session())) {
            Map<String, Object> config = new LinkedHashMap<>();
            config.put("tokenizer_class", "PreTrainedTokenizerFast");
            config.put("pad_token", tokenizer.piece(tokenizer.padId()));
            config.put("model_max_length", recipe.model().graph().maxTokens());
            // A prompt's length does not count the special token that ends it.
            Template template = tokenizer.single();
            for (int id : template.before()) {
                config.put("cls_token", tokenizer.piece(id));
            }
            for (int id : template.after()) {
                config.put("sep_token", tokenizer.piece(id));
            }
            return config;
        }
    }

    private void modules(Path folder, ModelFiles files, int width) {
        DenseSettings settings = recipe.model();
        List<String> modules = new ArrayList<>(List.of("Transformer", "Pooling"));
        Pooling pooling = settings.pooling().getFirst();
        write(
                folder.resolve("1_Pooling"),
                CONFIG,
                Map.of(
                        "word_embedding_dimension", width,
                        "pooling_mode_cls_token", pooling == Pooling.CLS,
                        "pooling_mode_mean_tokens", pooling == Pooling.MEAN,
                        "pooling_mode_max_tokens", pooling == Pooling.MAX,
                        "pooling_mode_lasttoken", pooling == Pooling.LAST,
                        "include_prompt", settings.poolPrompt()));
        for (HeadSettings layer : settings.graph().head()) {
            head(folder.resolve(modules.size() + "_Dense"), layer, files);
            modules.add("Dense");
        }
        if (settings.graph().normalise()) {
            modules.add("Normalize");
        }
        List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < modules.size(); i++) {
            all.add(Map.of(
                    "idx",
                    i,
                    "name",
                    String.valueOf(i),
                    "path",
                    i == 0 ? "" : i + "_" + modules.get(i),
                    "type",
                    MODULES + modules.get(i)));
        }
        write(folder, "modules.json", all);
    }

    private void head(Path folder, HeadSettings layer, ModelFiles files) {
        Safetensors tensors = files.tensors(layer.file(), engine.home());
        SortedMap<String, Weight> weights = new TreeMap<>();
        Weight matrix = tensors.tensor(layer.weight());
        weights.put("linear.weight", matrix);
        if (!layer.bias().isEmpty()) {
            weights.put("linear.bias", tensors.tensor(layer.bias()));
        }
        write(
                folder,
                CONFIG,
                Map.of(
                        "in_features",
                        matrix.shape().get(1),
                        "out_features",
                        matrix.shape().get(0),
                        "bias",
                        !layer.bias().isEmpty(),
                        "activation_function",
                        layer.tanh() ? "torch.nn.modules.activation.Tanh" : "torch.nn.modules.linear.Identity"));
        Path file = folder.resolve(WEIGHTS);
        IoErrors.run("write", file, () -> {
            try (OutputStream out = Files.newOutputStream(file)) {
                Safetensors.write(weights, out);
            }
        });
    }

    private static void write(Path folder, String name, Object content) {
        put(folder.resolve(name), Json.toBytes(content));
    }

    private static void put(Path file, byte[] content) {
        IoErrors.run("write", file, () -> {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.write(file, content);
        });
    }
}
