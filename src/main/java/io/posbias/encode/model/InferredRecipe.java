package io.posbias.encode.model;

import static io.posbias.encode.model.ModelFolder.CONFIG;
import static io.posbias.encode.model.ModelFolder.LENGTHS;
import static io.posbias.encode.model.ModelFolder.MODULES;
import static io.posbias.encode.model.ModelFolder.SETTINGS;
import static io.posbias.encode.model.ModelFolder.TOKENIZER_CONFIG;

import io.posbias.BadInputException;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private record Modules(List<Module> modules, Fields fields) {
        /** A module of a sentence-transformers model. */
        record Module(String type, @Setting(usual = "''") String path) {
            String name() {
                return last(type);
            }
        }
    }

    /** {@code config.json} of a transformer. */
    private record Config(
            @Setting(usual = "''") String modelType,
            @Nullable Integer numAttentionHeads,
            @Nullable Integer hiddenSize,
            @Nullable Integer maxPositionEmbeddings,
            @Setting(usual = "[]") List<String> architectures,
            @Nullable Integer numLabels,
            @Setting(usual = "{}") Map<String, @Nullable Object> id2label,
            @Setting(usual = "{}") Activation sentenceTransformers,
            @Setting(usual = "Sigmoid") String sbertCeDefaultActivationFunction,
            Fields fields) {
        record Activation(@Nullable String activationFn) {}

        boolean isClassifier() {
            return architecture().endsWith("ForSequenceClassification");
        }

        String architecture() {
            return architectures.stream().findFirst().orElse("missing");
        }

        int positions(int usual) {
            return Objects.requireNonNullElse(maxPositionEmbeddings, usual);
        }
    }

    /** {@code config_sentence_transformers.json}, of PyLate too. */
    private record Encoding(
            @Nullable String similarityFnName,
            @Setting(usual = "{}") Map<String, @Nullable String> prompts,
            @Nullable String defaultPromptName,
            @Nullable String queryPrefix,
            @Nullable String documentPrefix,
            @Nullable Integer queryLength,
            @Nullable Integer documentLength,
            @Setting(usual = "true") boolean doQueryExpansion,
            @Setting(usual = "false") boolean attendToExpansionTokens,
            @Nullable List<String> skiplistWords,
            Fields fields) {
        /** Returns a prompt that the file must have. */
        String prompt(String name) {
            String prompt = prompts.get(name);
            if (prompt == null) {
                throw fields.bad("prompts." + name, "is missing", ADVICE);
            }
            return prompt;
        }
    }

    private record PoolingFile(
            @Nullable String poolingMode,
            @Setting(usual = "true") boolean includePrompt,
            @Nullable Integer embeddingDimension,
            @Nullable Integer wordEmbeddingDimension,
            Fields fields) {}

    private record DenseFile(
            int inFeatures,
            int outFeatures,
            String activationFunction,
            @Setting(usual = "false") boolean useResidual,
            @Setting(usual = "true") boolean bias,
            Fields fields) {}

    private record LengthFile(
            @Setting(usual = "false") boolean doLowerCase,
            @Nullable Integer maxSeqLength,
            Fields fields) {}

    /** @param maskToken a text, or a record with its {@code content} */
    private record TokenizerFile(
            @Nullable Double modelMaxLength, @Nullable Object maskToken, Fields fields) {}

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
            recipe.crossEncoder(Json.bind(files.json(CONFIG), Config.class));
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
        Modules list = Json.bind(files.modules(), Modules.class);
        List<Modules.Module> modules = list.modules;
        List<String> types = modules.stream().map(Modules.Module::name).toList();
        boolean isAtRoot = modules.isEmpty() || modules.getFirst().path().isEmpty();
        if (!isAtRoot || !String.join(" ", types).matches("Transformer( Pooling)?( Dense)?( Normalize)?")) {
            throw list.fields.bad(
                    "modules",
                    "has the types " + Printable.cut(String.join(", ", types)),
                    "supported are Transformer (in the root), Pooling, Dense, Normalize, in this order; " + ADVICE);
        }
        Config config = Json.bind(files.json(CONFIG), Config.class);
        Encoding settings = Json.bind(files.optional(SETTINGS), Encoding.class);
        Optional<Modules.Module> head =
                modules.stream().filter(one -> one.name().equals("Dense")).findFirst();
        boolean pooled = types.contains("Pooling");
        String marker =
                settings.queryPrefix != null ? QUERY_PREFIX : settings.documentPrefix != null ? DOCUMENT_PREFIX : "";
        if (pooled && !marker.isEmpty()) {
            throw contradiction(settings.fields, marker, "is present", MODULES + " has a module Pooling");
        } else if (pooled) {
            head(head, dense(modules.get(1), config, settings, types.contains("Normalize")));
            if (head.isEmpty() && config.modelType.equals("bert")) {
                SequencedMap<String, Object> transformer = new LinkedHashMap<>(Map.of("family", "bert"));
                transformer.put("heads", positive(config.fields, "num_attention_heads", config.numAttentionHeads));
                record.put("transformer", transformer);
            }
        } else if (!marker.isEmpty()) {
            lateInteraction(config, settings);
            head(head, positive(config.fields, "hidden_size", config.hiddenSize));
        } else {
            throw list.fields.bad("modules", "has no type Pooling, and " + SETTINGS + " no " + QUERY_PREFIX, ADVICE);
        }
    }

    /** Returns the vectors' width, before a head. */
    private int dense(Modules.Module pooling, Config config, Encoding settings, boolean normalised) {
        if (config.isClassifier()) {
            throw contradiction(
                    config.fields, "architectures", "is " + config.architecture(), MODULES + " has a module Pooling");
        }
        kind("dense", "dense", MODULES);
        graphs();
        maxTokens(config);
        int width = pooling(pooling.path() + "/" + CONFIG, config);
        String similarity = Objects.requireNonNullElse(settings.similarityFnName, normalised ? "cosine" : "");
        if (!List.of("cosine", "dot", "dot_product").contains(similarity)) {
            throw settings.fields.bad(
                    SIMILARITY,
                    similarity.isEmpty()
                            ? "is missing, and " + MODULES + " has no type Normalize"
                            : "is " + Printable.quoted(similarity),
                    "it must be cosine or dot; " + ADVICE);
        }
        put("normalise", normalised || similarity.equals("cosine"), normalised ? MODULES : SETTINGS);
        put("similarity", similarity.replace("_product", ""), settings.similarityFnName != null ? SETTINGS : MODULES);
        prompts(settings);
        return width;
    }

    private int pooling(String file, Config config) {
        PoolingFile own = Json.bind(files.json(file), PoolingFile.class);
        Fields fields = own.fields;
        List<String> modes = new ArrayList<>(fields.names().stream()
                .filter(name -> name.startsWith(POOLING_MODE + "_") && fields.flag(name, false))
                .map(name -> name.substring(POOLING_MODE.length() + 1))
                .toList());
        if (own.poolingMode != null) {
            modes.add(own.poolingMode);
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
        if (!own.includePrompt && List.of("mean", "max").contains(poolings.getFirst())) {
            put("pool-prompt", false, file);
        }
        boolean isNew = own.embeddingDimension != null;
        String width = isNew ? "embedding_dimension" : "word_embedding_dimension";
        int found = positive(fields, width, isNew ? own.embeddingDimension : own.wordEmbeddingDimension);
        int hidden = Objects.requireNonNullElse(config.hiddenSize, found);
        if (hidden != found) {
            throw contradiction(fields, width, "is " + found, "hidden_size in " + CONFIG + " is " + hidden);
        }
        return found;
    }

    /** Prompts as sentence-transformers' encode_query and encode_document choose them. */
    private void prompts(Encoding settings) {
        Map<String, @Nullable String> prompts = settings.prompts;
        String usual = settings.defaultPromptName == null ? "" : settings.prompt(settings.defaultPromptName);
        List<String> documents = Stream.of("document", "passage", "corpus")
                .filter(name -> prompts.get(name) != null)
                .toList();
        if (documents.stream().map(settings::prompt).distinct().count() > 1) {
            throw settings.fields.bad("prompts." + documents.get(0), "differs from " + documents.get(1), ADVICE);
        }
        String asked = prompts.get("query");
        boolean isNamed = asked != null || !documents.isEmpty() || settings.defaultPromptName != null;
        if (!isNamed && !prompts.isEmpty()) {
            throw settings.fields.bad(
                    "prompts.query", "is missing", "prompts: " + String.join(", ", prompts.keySet()) + "; " + ADVICE);
        }
        String query = Objects.requireNonNullElse(asked, usual);
        String document = documents.isEmpty() ? usual : settings.prompt(documents.getFirst());
        put("query-prompt", query, SETTINGS);
        put("document-prompt", document, SETTINGS);
        if (query.isEmpty() && document.isEmpty()) {
            String unknown = "The files name no prompts; prompts of the model card belong in a recipe.";
            record.put("unknown", List.of(unknown));
            origins.put("unknown", List.of(unknown));
        }
    }

    private void lateInteraction(Config config, Encoding settings) {
        kind("late-interaction", "late-interaction", SETTINGS);
        graphs();
        put("query-marker", present(settings.fields, QUERY_PREFIX, settings.queryPrefix), SETTINGS);
        put("document-marker", present(settings.fields, DOCUMENT_PREFIX, settings.documentPrefix), SETTINGS);
        put("query-length", positive(settings.fields, "query_length", settings.queryLength), SETTINGS);
        put("query-expansion", settings.doQueryExpansion, SETTINGS);
        if (settings.doQueryExpansion) {
            TokenizerFile tokens = Json.bind(files.json(TOKENIZER_CONFIG), TokenizerFile.class);
            Object mask = tokens.maskToken instanceof Map<?, ?> token ? token.get("content") : tokens.maskToken;
            if (!(mask instanceof String)) {
                throw tokens.fields.bad("mask_token", "is " + mask, "it must be a string; " + ADVICE);
            }
            put("mask-token", mask, TOKENIZER_CONFIG);
            put("attend-to-expansion", settings.attendToExpansionTokens, SETTINGS);
        }
        length(settings.fields, "document_length", settings.documentLength, config);
        put("skip", present(settings.fields, "skiplist_words", settings.skiplistWords), SETTINGS);
        put("skip-lookup", "token", PYLATE);
        put("normalise", true, PYLATE);
        put("score", "sum", PYLATE);
    }

    private void crossEncoder(Config config) {
        if (!config.isClassifier()) {
            throw config.fields.bad(
                    "architectures",
                    "is " + config.architecture() + ", and there is no " + MODULES,
                    "an encoder has that file, a cross-encoder ends in ForSequenceClassification; " + ADVICE);
        }
        int labels = Objects.requireNonNullElse(config.numLabels, config.id2label.size());
        if (labels != 1) {
            throw config.fields.bad("id2label", "has " + labels + " labels", "a cross-encoder has one; " + ADVICE);
        }
        kind("cross-encoder", "reranker", CONFIG);
        graphs();
        maxTokens(config);
        String activation = Objects.requireNonNullElse(
                config.sentenceTransformers.activationFn, config.sbertCeDefaultActivationFunction);
        String function = last(activation);
        if (!List.of("Sigmoid", "Identity").contains(function)) {
            throw config.fields.bad(
                    "activation_fn", "is " + Printable.quoted(activation), "it must be Sigmoid or Identity");
        }
        put("activation", function.equals("Sigmoid") ? "sigmoid" : "none", CONFIG);
        put("truncation", "longest-first", "sentence-transformers");
        put("first-stage", "bm25", "posbias");
    }

    /** A linear layer behind the graph, and the vectors' dimension. */
    private void head(Optional<Modules.Module> module, int width) {
        if (module.isEmpty()) {
            put("dimension", width, CONFIG);
            return;
        }
        String folder = module.get().path() + "/";
        DenseFile layer = Json.bind(files.json(folder + CONFIG), DenseFile.class);
        if (layer.inFeatures != width) {
            throw contradiction(layer.fields, "in_features", "is " + layer.inFeatures, "vectors have " + width);
        }
        String activation = layer.activationFunction;
        if (!List.of("Identity", "Tanh").contains(last(activation)) || layer.useResidual) {
            throw layer.fields.bad(
                    "activation_function", "is " + Printable.quoted(activation), "supported are Identity and Tanh");
        }
        String weights = folder + "model.safetensors";
        files.require(weights);
        SequencedMap<String, Object> head = new LinkedHashMap<>(Map.of("file", weights));
        if (layer.bias) {
            head.put("bias", "linear.bias");
        }
        if (last(activation).equals("Tanh")) {
            head.put("activation", "tanh");
        }
        put("head", head, folder + CONFIG);
        put("dimension", positive(layer.fields, "out_features", layer.outFeatures), folder + CONFIG);
    }

    /** Puts the limit of sentence_bert_config.json, else that of the tokenizer and the positions. */
    private void maxTokens(Config config) {
        LengthFile lengths = Json.bind(files.optional(LENGTHS), LengthFile.class);
        if (lengths.doLowerCase) {
            throw lengths.fields.bad(
                    "do_lower_case", "is true", "posbias lower-cases as tokenizer.json does; " + ADVICE);
        }
        if (lengths.maxSeqLength != null) {
            length(lengths.fields, "max_seq_length", lengths.maxSeqLength, config);
            return;
        }
        TokenizerFile tokenizer = Json.bind(files.optional(TOKENIZER_CONFIG), TokenizerFile.class);
        if (tokenizer.modelMaxLength == null || tokenizer.modelMaxLength >= UNLIMITED) {
            throw tokenizer.fields.bad(MODEL_MAX_LENGTH, "is missing", ADVICE);
        }
        int tokens = positive(tokenizer.fields, MODEL_MAX_LENGTH, tokenizer.modelMaxLength.intValue());
        put("max-tokens", Math.min(tokens, config.positions(tokens)), TOKENIZER_CONFIG);
    }

    private static int positive(Fields fields, String name, @Nullable Integer number) {
        if (present(fields, name, number) <= 0) {
            throw fields.bad(name, "is " + number, "it must be positive");
        }
        return present(fields, name, number);
    }

    private static <T> T present(Fields fields, String name, @Nullable T value) {
        if (value == null) {
            throw fields.bad(name, "is missing", ADVICE);
        }
        return value;
    }

    private void length(Fields fields, String name, @Nullable Integer given, Config config) {
        int tokens = positive(fields, name, given);
        int positions = config.positions(tokens);
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
        return new PosbiasException(files.model() + " has no onnx/model.onnx; export it: " + command + recipe
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

    private static String last(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
