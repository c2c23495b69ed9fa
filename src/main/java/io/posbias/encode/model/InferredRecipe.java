package io.posbias.encode.model;

import static io.posbias.encode.model.ModelFolder.CONFIG;
import static io.posbias.encode.model.ModelFolder.LENGTHS;
import static io.posbias.encode.model.ModelFolder.MODULES;
import static io.posbias.encode.model.ModelFolder.SETTINGS;
import static io.posbias.encode.model.ModelFolder.TOKENIZER_CONFIG;

import io.posbias.BadInputException;
import io.posbias.Fields;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A recipe made of a model's own files: those of sentence-transformers, of its cross-encoders, and of PyLate. Missing,
 * unsupported and contradictory fields are errors. docs/own-model.md lists the files.
 */
public final class InferredRecipe {
    private static final String TOKENIZER = "tokenizer.json";
    private static final String SIMILARITY = "similarity_fn_name";
    private static final String MODEL_MAX_LENGTH = "model_max_length";
    private static final String MAX_POSITIONS = "max_position_embeddings";
    private static final String QUERY_PREFIX = "query_prefix";
    private static final String DOCUMENT_PREFIX = "document_prefix";
    private static final String POOLING_MODE = "pooling_mode";

    /** The origin of values that PyLate fixes. */
    private static final String PYLATE = "pylate";

    static final String ADVICE = "write a recipe (docs/own-model.md)";

    /** Larger values of {@code model_max_length} stand for "unlimited". */
    private static final double UNLIMITED = 1e7;

    private static final List<String> PRECISIONS = List.of("float32", "float16", "int8");
    private static final List<String> GRAPHS = List.of("model.onnx", "model_fp16.onnx", "model_quantized.onnx");

    private static final Map<String, String> POOLINGS = Map.of(
            "cls", "cls",
            "cls_token", "cls",
            "mean", "mean",
            "mean_tokens", "mean",
            "max", "max",
            "max_tokens", "max",
            "lasttoken", "last");

    private final ModelFolder files;
    private final SequencedMap<String, @Nullable Object> record = new LinkedHashMap<>();
    private final SequencedMap<String, List<String>> origins = new LinkedHashMap<>();

    /** A module of a sentence-transformers model. */
    private record Module(String type, String path) {
        static Module of(Fields fields) {
            String type = fields.text("type");
            return new Module(last(type), fields.text("path", ""));
        }
    }

    private InferredRecipe(ModelFolder files) {
        this.files = files;
    }

    /**
     * Infers a recipe.
     *
     * @param source the recipe's {@code source}
     * @throws PosbiasException naming the field and the file
     */
    public static InferredRecipe of(ModelFolder files, String name, Map<String, Object> source) {
        InferredRecipe recipe = new InferredRecipe(files);
        recipe.record.put("name", name);
        recipe.record.put("kind", "");
        recipe.record.put("family", "");
        recipe.record.put("description", files.model() + ", inferred from its files");
        recipe.record.put("source", source);
        if (files.has(MODULES)) {
            recipe.modules();
        } else {
            recipe.crossEncoder(files.json(CONFIG));
        }
        return recipe;
    }

    /** The recipe's fields. */
    public SequencedMap<String, @Nullable Object> record() {
        return new LinkedHashMap<>(record);
    }

    /** One line per file, with the fields that were inferred from it. */
    public List<String> origins() {
        return origins.entrySet().stream()
                .map(origin -> origin.getKey() + ": " + String.join(", ", origin.getValue()))
                .toList();
    }

    private void modules() {
        Fields list = files.modules();
        List<Module> modules = list.records("modules").stream().map(Module::of).toList();
        List<String> types = modules.stream().map(Module::type).toList();
        boolean isAtRoot = modules.isEmpty() || modules.getFirst().path().isEmpty();
        if (!isAtRoot || !String.join(" ", types).matches("Transformer( Pooling)?( Dense)?( Normalize)?")) {
            throw list.bad(
                    "modules",
                    "has the types " + Printable.cut(String.join(", ", types)),
                    "supported are Transformer (in the root), Pooling, Dense, Normalize, in this order; " + ADVICE);
        }
        Fields config = files.json(CONFIG);
        Fields settings = files.optional(SETTINGS);
        Optional<Module> head =
                modules.stream().filter(one -> one.type().equals("Dense")).findFirst();
        boolean pooled = types.contains("Pooling");
        String marker = Stream.of(QUERY_PREFIX, DOCUMENT_PREFIX)
                .filter(settings::has)
                .findFirst()
                .orElse("");
        if (pooled && !marker.isEmpty()) {
            throw contradiction(settings, marker, "is present", MODULES + " has a module Pooling");
        } else if (pooled) {
            head(head, dense(modules.get(1), config, settings, types.contains("Normalize")));
            if (head.isEmpty() && config.text("model_type", "").equals("bert")) {
                SequencedMap<String, Object> transformer = new LinkedHashMap<>(Map.of("family", "bert"));
                transformer.put("heads", config.positive("num_attention_heads"));
                record.put("transformer", transformer);
            }
        } else if (!marker.isEmpty()) {
            lateInteraction(config, settings);
            head(head, config.positive("hidden_size"));
        } else {
            throw list.bad("modules", "has no type Pooling, and " + SETTINGS + " no " + QUERY_PREFIX, ADVICE);
        }
    }

    /** Returns the vectors' width, before a head. */
    private int dense(Module pooling, Fields config, Fields settings, boolean normalised) {
        if (isClassifier(config)) {
            throw contradiction(
                    config, "architectures", "is " + architecture(config), MODULES + " has a module Pooling");
        }
        kind("dense", "dense", MODULES);
        graphs();
        maxTokens(config);
        int width = pooling(pooling.path() + "/" + CONFIG, config);
        String similarity = settings.text(SIMILARITY, normalised ? "cosine" : "");
        if (!List.of("cosine", "dot", "dot_product").contains(similarity)) {
            throw settings.bad(
                    SIMILARITY,
                    similarity.isEmpty()
                            ? "is missing, and " + MODULES + " has no type Normalize"
                            : "is " + Printable.quoted(similarity),
                    "it must be cosine or dot; " + ADVICE);
        }
        put("normalise", normalised || similarity.equals("cosine"), normalised ? MODULES : SETTINGS);
        put("similarity", similarity.replace("_product", ""), settings.has(SIMILARITY) ? SETTINGS : MODULES);
        prompts(settings);
        return width;
    }

    private int pooling(String file, Fields config) {
        Fields fields = files.json(file);
        List<String> modes = new ArrayList<>(fields.names().stream()
                .filter(name -> name.startsWith(POOLING_MODE + "_") && fields.flag(name, false))
                .map(name -> name.substring(POOLING_MODE.length() + 1))
                .toList());
        if (fields.has(POOLING_MODE)) {
            modes.add(fields.text(POOLING_MODE));
        }
        List<String> poolings = modes.stream()
                .map(mode -> POOLINGS.getOrDefault(mode, mode))
                .distinct()
                .toList();
        if (poolings.size() != 1 || !POOLINGS.containsValue(poolings.getFirst())) {
            throw fields.bad(
                    POOLING_MODE,
                    modes.isEmpty() ? "is missing" : "is " + Printable.cut(String.join(" and ", modes)),
                    "it must be one of cls, mean, max and lasttoken; " + ADVICE);
        }
        put("pooling", poolings.getFirst(), file);
        if (!fields.flag("include_prompt", true) && List.of("mean", "max").contains(poolings.getFirst())) {
            put("pool-prompt", false, file);
        }
        String width = fields.has("embedding_dimension") ? "embedding_dimension" : "word_embedding_dimension";
        int found = fields.positive(width);
        if (config.integer("hidden_size", found) != found) {
            throw contradiction(
                    fields, width, "is " + found, "hidden_size in " + CONFIG + " is " + config.integer("hidden_size"));
        }
        return found;
    }

    /** Prompts as sentence-transformers' encode_query and encode_document choose them. */
    private void prompts(Fields settings) {
        Fields prompts = settings.record("prompts");
        String usual = settings.has("default_prompt_name") ? prompts.text(settings.text("default_prompt_name")) : "";
        List<String> documents =
                Stream.of("document", "passage", "corpus").filter(prompts::has).toList();
        if (documents.stream().map(prompts::text).distinct().count() > 1) {
            throw prompts.bad(documents.get(0), "differs from " + documents.get(1), ADVICE);
        }
        boolean isNamed = prompts.has("query") || !documents.isEmpty() || settings.has("default_prompt_name");
        if (!isNamed && !prompts.names().isEmpty()) {
            throw prompts.bad("query", "is missing", "prompts: " + String.join(", ", prompts.names()) + "; " + ADVICE);
        }
        String query = prompts.text("query", usual);
        String document = documents.isEmpty() ? usual : prompts.text(documents.getFirst());
        put("query-prompt", query, SETTINGS);
        put("document-prompt", document, SETTINGS);
        if (query.isEmpty() && document.isEmpty()) {
            String unknown = "The files name no prompts; prompts of the model card belong in a recipe.";
            record.put("unknown", List.of(unknown));
            origins.put("unknown", List.of(unknown));
        }
    }

    private void lateInteraction(Fields config, Fields settings) {
        kind("late-interaction", "late-interaction", SETTINGS);
        graphs();
        put("query-marker", settings.text(QUERY_PREFIX), SETTINGS);
        put("document-marker", settings.text(DOCUMENT_PREFIX), SETTINGS);
        put("query-length", settings.positive("query_length"), SETTINGS);
        boolean expansion = settings.flag("do_query_expansion", true);
        put("query-expansion", expansion, SETTINGS);
        if (expansion) {
            Fields tokens = files.json(TOKENIZER_CONFIG);
            boolean isRecord = tokens.raw("mask_token") instanceof Map;
            String mask = isRecord ? tokens.record("mask_token").text("content") : tokens.text("mask_token");
            put("mask-token", mask, TOKENIZER_CONFIG);
            put("attend-to-expansion", settings.flag("attend_to_expansion_tokens", false), SETTINGS);
        }
        length(settings, "document_length", config);
        if (!settings.has("skiplist_words")) {
            throw settings.bad("skiplist_words", "is missing", ADVICE);
        }
        put("skip", settings.texts("skiplist_words"), SETTINGS);
        put("skip-lookup", "token", PYLATE);
        put("normalise", true, PYLATE);
        put("score", "sum", PYLATE);
    }

    private void crossEncoder(Fields config) {
        if (!isClassifier(config)) {
            throw config.bad(
                    "architectures",
                    "is " + architecture(config) + ", and there is no " + MODULES,
                    "an encoder has that file, a cross-encoder ends in ForSequenceClassification; " + ADVICE);
        }
        int labels =
                config.integer("num_labels", config.record("id2label").names().size());
        if (labels != 1) {
            throw config.bad("id2label", "has " + labels + " labels", "a cross-encoder has one; " + ADVICE);
        }
        kind("cross-encoder", "reranker", CONFIG);
        graphs();
        maxTokens(config);
        String activation = config.record("sentence_transformers")
                .text("activation_fn", config.text("sbert_ce_default_activation_function", "Sigmoid"));
        String function = last(activation);
        if (!List.of("Sigmoid", "Identity").contains(function)) {
            throw config.bad("activation_fn", "is " + Printable.quoted(activation), "it must be Sigmoid or Identity");
        }
        put("activation", function.equals("Sigmoid") ? "sigmoid" : "none", CONFIG);
        put("truncation", "longest-first", "sentence-transformers");
        put("first-stage", "bm25", "posbias");
    }

    /** A linear layer behind the graph, and the vectors' dimension. */
    private void head(Optional<Module> module, int width) {
        if (module.isEmpty()) {
            put("dimension", width, CONFIG);
            return;
        }
        String folder = module.get().path() + "/";
        Fields fields = files.json(folder + CONFIG);
        if (fields.integer("in_features") != width) {
            throw contradiction(fields, "in_features", "is " + fields.integer("in_features"), "vectors have " + width);
        }
        String activation = fields.text("activation_function");
        if (!List.of("Identity", "Tanh").contains(last(activation)) || fields.flag("use_residual", false)) {
            throw fields.bad(
                    "activation_function", "is " + Printable.quoted(activation), "supported are Identity and Tanh");
        }
        String weights = folder + "model.safetensors";
        files.require(weights);
        SequencedMap<String, Object> head = new LinkedHashMap<>(Map.of("file", weights));
        if (fields.flag("bias", true)) {
            head.put("bias", "linear.bias");
        }
        if (last(activation).equals("Tanh")) {
            head.put("activation", "tanh");
        }
        put("head", head, folder + CONFIG);
        put("dimension", fields.positive("out_features"), folder + CONFIG);
    }

    /** Puts the limit of sentence_bert_config.json, else that of the tokenizer and the positions. */
    private void maxTokens(Fields config) {
        Fields lengths = files.optional(LENGTHS);
        if (lengths.flag("do_lower_case", false)) {
            throw lengths.bad("do_lower_case", "is true", "posbias lower-cases as tokenizer.json does; " + ADVICE);
        }
        if (lengths.has("max_seq_length")) {
            length(lengths, "max_seq_length", config);
            return;
        }
        Fields tokenizer = files.optional(TOKENIZER_CONFIG);
        if (tokenizer.number(MODEL_MAX_LENGTH, UNLIMITED) >= UNLIMITED) {
            throw tokenizer.bad(MODEL_MAX_LENGTH, "is missing", ADVICE);
        }
        int tokens = tokenizer.positive(MODEL_MAX_LENGTH);
        put("max-tokens", Math.min(tokens, config.integer(MAX_POSITIONS, tokens)), TOKENIZER_CONFIG);
    }

    private void length(Fields fields, String name, Fields config) {
        int tokens = fields.positive(name);
        int positions = config.integer(MAX_POSITIONS, tokens);
        if (positions < tokens) {
            throw contradiction(fields, name, "is " + tokens, MAX_POSITIONS + " in " + CONFIG + " is " + positions);
        }
        put("max-tokens", tokens, name.equals("document_length") ? SETTINGS : LENGTHS);
    }

    /** The graphs by precision, the files of their weights, and the tokenizer. */
    private void graphs() {
        SequencedMap<String, Object> graphs = new LinkedHashMap<>();
        SequencedMap<String, Object> data = new LinkedHashMap<>();
        for (int i = 0; i < GRAPHS.size(); i++) {
            String graph = "onnx/" + GRAPHS.get(i);
            if (files.has(graph)) {
                graphs.put(PRECISIONS.get(i), graph);
                List<String> beside = files.paths().stream()
                        .filter(path -> path.startsWith(graph + "_data") || path.equals(graph + ".data"))
                        .toList();
                if (!beside.isEmpty()) {
                    data.put(PRECISIONS.get(i), beside);
                }
            }
        }
        if (graphs.isEmpty()) {
            throw unexported();
        }
        record.put("onnx", graphs);
        origins.put("onnx", List.of(String.join(", ", graphs.keySet())));
        if (!data.isEmpty()) {
            record.put("external-data", data);
        }
        files.require(TOKENIZER);
        record.put("tokenizer", TOKENIZER);
    }

    private PosbiasException unexported() {
        boolean needsRecipe = "late-interaction".equals(record.get("kind"));
        String command = "python3 scripts/export_onnx.py "
                + (needsRecipe ? "RECIPE.yaml" : files.model() + " --kind " + record.get("kind")) + " --out DIR";
        String recipe = needsRecipe ? ", with a recipe that says source: {export: " + files.model() + "}" : "";
        return new PosbiasException(files.model() + " has no onnx/model.onnx; name it st:" + files.model()
                + " to run it by sentence-transformers (docs/worker.md), or export it: " + command + recipe
                + " (docs/own-model.md#export)");
    }

    private void kind(String kind, String family, String file) {
        put("kind", kind, file);
        record.put("family", family);
    }

    private void put(String field, Object value, String file) {
        record.put(field, value);
        origins.computeIfAbsent(file, key -> new ArrayList<>()).add(field + " " + shown(value));
    }

    private static String shown(Object value) {
        return value instanceof String text && (text.isEmpty() || !text.equals(text.strip()))
                ? Printable.quoted(text)
                : Printable.cut(String.valueOf(value));
    }

    private static BadInputException contradiction(Fields fields, String name, String found, String other) {
        return fields.bad(name, found + ", but " + other, ADVICE);
    }

    private static boolean isClassifier(Fields config) {
        return architecture(config).endsWith("ForSequenceClassification");
    }

    private static String architecture(Fields config) {
        return config.texts("architectures").stream().findFirst().orElse("missing");
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
