package io.posbias.model.encode.model;

import static io.posbias.model.encode.model.ModelFolder.CONFIG;
import static io.posbias.model.encode.model.ModelFolder.LENGTHS;
import static io.posbias.model.encode.model.ModelFolder.MODULES;
import static io.posbias.model.encode.model.ModelFolder.ROUTER;
import static io.posbias.model.encode.model.ModelFolder.SETTINGS;
import static io.posbias.model.encode.model.ModelFolder.TOKENIZER_CONFIG;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;
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
    private static final String MASK = "MultiVectorMask";

    /** The origin of values that PyLate fixes. */
    private static final String PYLATE = "pylate";

    private static final String TABLE = "model.safetensors";
    private static final String SPLADE = "(MLM)?Transformer SpladePooling";

    static final String ADVICE = "write a recipe (docs/own-model.md)";

    /** Usual limit of model2vec's {@code encode}. */
    private static final int MODEL2VEC_TOKENS = 512;

    /** Larger values of {@code model_max_length} stand for "unlimited". */
    private static final double UNLIMITED = 1e7;

    private static final List<String> PRECISIONS = List.of("float32", "float16", "int8");
    private static final List<String> GRAPHS = List.of("model.onnx", "model_fp16.onnx", "model_quantized.onnx");

    /** Words of sentence-transformers, in the order in which it concatenates the vectors of earlier versions' flags. */
    private static final List<String> MODES =
            List.of("cls", "max", "mean", "mean_sqrt_len", "weightedmean", "lasttoken");

    private static final List<String> POOLINGS =
            List.of("cls", "max", "mean", "mean-sqrt-len", "weighted-mean", "last");

    /** Transformers whose positions begin behind the padding token's number: {@code max_position_embeddings} has 514 for 512. */
    private static final List<String> OFFSET = List.of(
            "roberta",
            "xlm-roberta",
            "xlm-roberta-xl",
            "camembert",
            "mpnet",
            "longformer",
            "roberta-prelayernorm",
            "data2vec-text",
            "xmod");

    /** Folder of the transformer that a Router has: {@code document_0_Transformer/}. */
    private String part = "";

    private final ModelFolder files;
    private final Optional<KnownModel> known;
    private final @Nullable String instruction;
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
            @Nullable Integer padTokenId,
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

        /** Returns the most tokens that the transformer has positions for; null if its configuration does not say. */
        @Nullable
        Integer positions() {
            return maxPositionEmbeddings == null || !isOffset()
                    ? maxPositionEmbeddings
                    : Integer.valueOf(maxPositionEmbeddings - Objects.requireNonNullElse(padTokenId, 1) - 1);
        }

        boolean isOffset() {
            return OFFSET.contains(modelType);
        }
    }

    /** {@code config_sentence_transformers.json}, of PyLate too. */
    private record Encoding(
            @Setting(usual = "''") String modelType,
            @Nullable String activationFn,
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
            @Setting(usual = "[]") List<String> poolingMode,
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

    /** @param queryExpansion of ColBERT: a flag, or a record of {@link Expansion} */
    private record LengthFile(
            @Setting(usual = "false") boolean doLowerCase,
            @Nullable Integer maxSeqLength,
            @Nullable Integer queryLength,
            @Nullable Integer documentLength,
            @Nullable Object queryExpansion,
            Fields fields) {}

    private record Expansion(
            @Setting(usual = "fixed") String strategy,
            @Setting(usual = "false") boolean attend,
            @Nullable String token,
            @Nullable Integer length) {}

    /** A module that leaves tokens out of the scores of ColBERT. */
    private record MaskFile(
            @Setting(usual = "[]") List<String> skiplistWords,
            @Nullable List<String> skiplistTasks,
            @Nullable List<Integer> keepOnlyTokenIds,
            Fields fields) {}

    /** @param maskToken a text, or a record with its {@code content} */
    private record TokenizerFile(
            @Nullable Double modelMaxLength, @Nullable Object maskToken, Fields fields) {}

    private InferredRecipe(ModelFolder files, Optional<KnownModel> known, @Nullable String instruction) {
        this.files = files;
        this.known = known;
        this.instruction = instruction;
    }

    /**
     * Infers a recipe.
     *
     * @param source the recipe's {@code source}; prompts of a model of the Hub that its files do not name are those of
     *     {@link KnownModel}
     * @param instruction what queries ask for, in the model's template; null if the user gave none
     * @throws PosbiasException naming the field and the file
     */
    public static InferredRecipe of(
            ModelFolder files, String name, Map<String, Object> source, @Nullable String instruction) {
        Optional<KnownModel> known =
                source.get("hub") instanceof String published ? KnownModel.find(published) : Optional.empty();
        InferredRecipe recipe = new InferredRecipe(files, known, instruction);
        recipe.record.put("name", name);
        recipe.record.put("kind", "");
        recipe.record.put("family", "");
        recipe.record.put("description", files.model() + ", inferred from its files");
        recipe.record.put("source", source);
        if (files.has(MODULES)) {
            recipe.modules();
        } else if (files.has(TABLE) && "model2vec".equals(files.json(CONFIG).raw("model_type"))) {
            recipe.table("", false);
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
        String types =
                String.join(" ", modules.stream().map(Modules.Module::name).toList());
        boolean isAtRoot = modules.isEmpty() || modules.getFirst().path().isEmpty();
        if (types.matches("StaticEmbedding( Normalize)?")) {
            String path = modules.getFirst().path();
            table(isAtRoot || path.equals(".") ? "" : path + "/", types.endsWith("Normalize"));
            return;
        } else if (isAtRoot && types.equals("Router")) {
            router();
            return;
        }
        Config config = Json.bind(files.json(CONFIG), Config.class);
        Encoding settings = Json.bind(files.optional(SETTINGS), Encoding.class);
        List<Modules.Module> heads =
                modules.stream().filter(one -> one.name().equals("Dense")).toList();
        if (isAtRoot && settings.modelType.equals("CrossEncoder") && types.equals("Transformer")) {
            crossEncoder(config);
        } else if (isAtRoot && types.matches(SPLADE)) {
            sparse(modules.getLast().path(), settings);
        } else if (isAtRoot && types.matches("Transformer( Dense)* " + MASK + "( Normalize)?")) {
            multiVector(modules, config, settings);
            heads(heads, positive(config.fields, "hidden_size", config.hiddenSize));
        } else if (!isAtRoot || !types.matches("Transformer( Pooling)?( Dense)*( Normalize)?")) {
            throw list.fields.bad(
                    "modules",
                    "has the types " + Printable.cut(types.replace(" ", ", ")),
                    "supported are Transformer (in the root), Pooling, Dense, Normalize, in this order, ColBERT's "
                            + MASK + ", SpladePooling, StaticEmbedding; name it st:" + files.model()
                            + " (docs/worker.md), or " + ADVICE);
        } else {
            encoder(list, heads, config, settings);
        }
    }

    /** A bi-encoder, or ColBERT as PyLate saves it. */
    private void encoder(Modules list, List<Modules.Module> heads, Config config, Encoding settings) {
        List<String> types = list.modules.stream().map(Modules.Module::name).toList();
        boolean pooled = types.contains("Pooling");
        String marker =
                settings.queryPrefix != null ? QUERY_PREFIX : settings.documentPrefix != null ? DOCUMENT_PREFIX : "";
        if (pooled && !marker.isEmpty()) {
            throw contradiction(settings.fields, marker, "is present", MODULES + " has a module Pooling");
        } else if (pooled) {
            heads(heads, dense(list.modules.get(1), config, settings, types.contains("Normalize")));
            if (heads.isEmpty() && config.modelType.equals("bert")) {
                SequencedMap<String, Object> transformer = new LinkedHashMap<>(Map.of("family", "bert"));
                transformer.put("heads", positive(config.fields, "num_attention_heads", config.numAttentionHeads));
                record.put("transformer", transformer);
            }
        } else if (!marker.isEmpty()) {
            lateInteraction(config, settings);
            heads(heads, positive(config.fields, "hidden_size", config.hiddenSize));
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
        kind(Kind.DENSE, MODULES);
        graphs();
        oneLimit();
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
        List<String> flags = fields.names().stream()
                .filter(name -> name.startsWith(POOLING_MODE + "_") && fields.flag(name, false))
                .map(name -> name.substring(POOLING_MODE.length() + 1).replaceFirst("_tokens?$", ""))
                .toList();
        // A version of sentence-transformers writes the word or the flags; flags are concatenated in its order.
        List<String> modes = own.poolingMode.isEmpty()
                ? Stream.concat(
                                MODES.stream().filter(flags::contains),
                                flags.stream().filter(flag -> !MODES.contains(flag)))
                        .toList()
                : own.poolingMode.stream()
                        .map(mode -> mode.replaceFirst("_tokens?$", ""))
                        .toList();
        if (modes.isEmpty() || !MODES.containsAll(modes)) {
            throw fields.bad(
                    POOLING_MODE,
                    modes.isEmpty() ? "is missing" : "is " + Printable.cut(String.join(" and ", modes)),
                    "posbias knows " + String.join(", ", MODES) + "; " + ADVICE);
        }
        List<String> poolings =
                modes.stream().map(mode -> POOLINGS.get(MODES.indexOf(mode))).toList();
        put("pooling", poolings.size() == 1 ? poolings.getFirst() : poolings, file);
        if (!own.includePrompt && !List.of("cls", "last").containsAll(poolings)) {
            put("pool-prompt", false, file);
        }
        boolean isNew = own.embeddingDimension != null;
        String width = isNew ? "embedding_dimension" : "word_embedding_dimension";
        int found = positive(fields, width, isNew ? own.embeddingDimension : own.wordEmbeddingDimension);
        int hidden = Objects.requireNonNullElse(config.hiddenSize, found);
        if (hidden != found) {
            throw contradiction(fields, width, "is " + found, "hidden_size in " + CONFIG + " is " + hidden);
        }
        return found * poolings.size();
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
        boolean hasOwn = !query.isEmpty() || !document.isEmpty();
        if (instruction != null) {
            prompts(
                    KnownModel.beforeQueries(known, files.model(), instruction),
                    hasOwn ? document : known.map(KnownModel::documentPrompt).orElse(""),
                    "--instruction");
        } else if (hasOwn) {
            prompts(query, document, SETTINGS);
            known.filter(other -> other.hasPrompts()
                            && !(other.queryPrompt().equals(query)
                                    && other.documentPrompt().equals(document)))
                    .ifPresent(other -> note(KnownModel.REGISTRY + " has other prompts than the files, which count: "
                            + Printable.quoted(other.queryPrompt()) + " and "
                            + Printable.quoted(other.documentPrompt())));
        } else {
            boolean isKnown = known.filter(KnownModel::hasPrompts).isPresent();
            prompts(
                    KnownModel.beforeQueries(known, files.model(), null),
                    known.map(KnownModel::documentPrompt).orElse(""),
                    isKnown ? KnownModel.REGISTRY : SETTINGS);
            if (!isKnown) {
                note("The files name no prompts; prompts of the model card belong in a recipe.");
            }
        }
    }

    private void prompts(String query, String document, String origin) {
        put("query-prompt", query, origin);
        put("document-prompt", document, origin);
    }

    private void note(String sentence) {
        record.put("unknown", List.of(sentence));
        origins.put("unknown", List.of(sentence));
    }

    /**
     * A table of token vectors: of model2vec, which writes {@code config.json}, or of sentence-transformers.
     *
     * @param folder of table and tokenizer, with its slash; empty for the root
     */
    private void table(String folder, boolean normalised) {
        Fields own = files.optional(CONFIG);
        boolean isModel2Vec = folder.isEmpty() && files.has(CONFIG);
        String origin = isModel2Vec ? CONFIG : MODULES;
        kind(Kind.STATIC, origin);
        files.require(folder + TABLE);
        files.require(folder + TOKENIZER);
        put("table", folder + TABLE, origin);
        record.put("tokenizer", folder + TOKENIZER);
        if (isModel2Vec) {
            put("library", "model2vec", CONFIG);
            boolean isUnlimited = own.names().contains("max_length") && !own.has("max_length");
            put("max-tokens", isUnlimited ? 0 : own.integer("max_length", MODEL2VEC_TOKENS), CONFIG);
            if (own.has("hidden_dim")) {
                put("dimension", own.integer("hidden_dim"), CONFIG);
            }
        }
        Encoding settings = Json.bind(files.optional(SETTINGS), Encoding.class);
        // Both libraries compare vectors of any length by their cosine.
        String similarity = similarity(settings, "cosine", List.of("cosine", "dot"));
        boolean isOfLengthOne = normalised || own.flag("normalize", false);
        put("normalise", isOfLengthOne || similarity.equals("cosine"), isOfLengthOne ? MODULES : SETTINGS);
        put("similarity", similarity, SETTINGS);
        prompts(settings);
    }

    private static String similarity(Encoding settings, String usual, List<String> known) {
        String named =
                Optional.ofNullable(settings.similarityFnName).orElse(usual).replace("_product", "");
        if (!known.contains(named)) {
            throw settings.fields.bad(
                    SIMILARITY,
                    "is " + Printable.quoted(named),
                    "it must be " + String.join(" or ", known) + "; " + ADVICE);
        }
        return named;
    }

    /** SPLADE for passages, and for queries a table of weights: folders of modules, and the type of each. */
    private void router() {
        Fields router = files.json(ROUTER);
        List<String> queries = router.record("structure").texts("query");
        List<String> passages = router.record("structure").texts("document");
        String types = Stream.concat(queries.stream(), passages.stream())
                .map(module -> last(router.record("types").text(module)))
                .collect(Collectors.joining(" "));
        if (queries.size() != 1 || !types.matches("SparseStaticEmbedding " + SPLADE)) {
            throw router.bad(
                    "structure",
                    "has the types " + Printable.cut(types),
                    "supported are SparseStaticEmbedding for queries, and Transformer with SpladePooling for documents");
        }
        part = passages.getFirst().isEmpty() ? "" : passages.getFirst() + "/";
        sparse(passages.getLast(), Json.bind(files.optional(SETTINGS), Encoding.class));
        String weights = Stream.of(queries.getFirst() + "/" + TABLE, "idf.json")
                .filter(files::has)
                .findFirst()
                .orElse(TABLE);
        files.require(weights);
        put("query-weights", weights, ROUTER);
    }

    private void sparse(String pooling, Encoding settings) {
        similarity(settings, "dot", List.of("dot"));
        kind(Kind.SPARSE, MODULES);
        graphs();
        oneLimit();
        maxTokens(Json.bind(files.json(part + CONFIG), Config.class));
        String file = pooling + "/" + CONFIG;
        Fields own = files.json(file);
        put("pooling", own.text("pooling_strategy", "max"), file);
        put("activation", own.text("activation_function", "relu"), file);
        prompts(settings);
    }

    /** ColBERT as sentence-transformers 6 saves it. */
    private void multiVector(List<Modules.Module> modules, Config config, Encoding settings) {
        kind(Kind.LATE_INTERACTION, MODULES);
        graphs();
        similarity(settings, "maxsim", List.of("maxsim"));
        prompts(settings);
        LengthFile lengths = Json.bind(files.optional(LENGTHS), LengthFile.class);
        expansion(lengths);
        if (lengths.documentLength == null) {
            maxTokens(config);
        } else {
            length(lengths.fields, "document_length", lengths.documentLength, config);
        }
        Modules.Module module = modules.stream()
                .filter(one -> one.name().equals(MASK))
                .findFirst()
                .orElseThrow();
        String file = module.path() + "/" + CONFIG;
        MaskFile mask = Json.bind(files.json(file), MaskFile.class);
        if (mask.keepOnlyTokenIds != null
                || (mask.skiplistTasks != null && !mask.skiplistTasks.equals(List.of("document")))) {
            throw mask.fields.bad(
                    mask.keepOnlyTokenIds != null ? "keep_only_token_ids" : "skiplist_tasks",
                    "is set",
                    "posbias leaves tokens out of passages by skiplist_words alone; name it st:" + files.model());
        }
        put("skip", mask.skiplistWords, file);
        put("skip-lookup", "token", "sentence-transformers");
        put("normalise", modules.getLast().name().equals("Normalize"), MODULES);
        put("score", "sum", SETTINGS);
    }

    /** Mask tokens behind queries, in the file of lengths. */
    private void expansion(LengthFile lengths) {
        boolean isOn = lengths.queryExpansion != null && !lengths.queryExpansion.equals(false);
        Expansion expansion = lengths.queryExpansion instanceof Map<?, ?>
                ? Json.bind(lengths.fields.record("query_expansion"), Expansion.class)
                : new Expansion("fixed", false, null, lengths.queryLength);
        if (isOn && !expansion.strategy.equals("fixed")) {
            throw lengths.fields.bad(
                    "query_expansion.strategy",
                    "is " + Printable.quoted(expansion.strategy),
                    "it must be fixed; name it st:" + files.model() + " (docs/worker.md)");
        }
        Integer length = isOn ? expansion.length : lengths.queryLength;
        if (length != null || isOn) {
            put("query-length", positive(lengths.fields, "query_length", length), LENGTHS);
        }
        put("query-expansion", isOn, LENGTHS);
        if (isOn) {
            put("mask-token", expansion.token == null ? maskToken() : expansion.token, TOKENIZER_CONFIG);
            put("attend-to-expansion", expansion.attend, LENGTHS);
        }
    }

    private String maskToken() {
        TokenizerFile tokens = Json.bind(files.json(TOKENIZER_CONFIG), TokenizerFile.class);
        Object mask = tokens.maskToken instanceof Map<?, ?> token ? token.get("content") : tokens.maskToken;
        if (!(mask instanceof String name)) {
            throw tokens.fields.bad("mask_token", "is " + mask, "it must be a string; " + ADVICE);
        }
        return name;
    }

    private void lateInteraction(Config config, Encoding settings) {
        kind(Kind.LATE_INTERACTION, SETTINGS);
        graphs();
        put("query-marker", present(settings.fields, QUERY_PREFIX, settings.queryPrefix), SETTINGS);
        put("document-marker", present(settings.fields, DOCUMENT_PREFIX, settings.documentPrefix), SETTINGS);
        put("query-length", positive(settings.fields, "query_length", settings.queryLength), SETTINGS);
        put("query-expansion", settings.doQueryExpansion, SETTINGS);
        if (settings.doQueryExpansion) {
            put("mask-token", maskToken(), TOKENIZER_CONFIG);
            put("attend-to-expansion", settings.attendToExpansionTokens, SETTINGS);
        }
        length(settings.fields, "document_length", settings.documentLength, config);
        put("skip", present(settings.fields, "skiplist_words", settings.skiplistWords), SETTINGS);
        put("skip-lookup", "token", PYLATE);
        put("normalise", true, PYLATE);
        put("score", "sum", PYLATE);
    }

    /** A cross-encoder, whose activation stands in its settings since sentence-transformers 5.4. */
    private void crossEncoder(Config config) {
        Encoding settings = Json.bind(files.optional(SETTINGS), Encoding.class);
        if (settings.defaultPromptName != null
                && !settings.prompt(settings.defaultPromptName).isEmpty()) {
            throw settings.fields.bad(
                    "default_prompt_name",
                    "is " + Printable.quoted(settings.defaultPromptName),
                    "posbias gives cross-encoders no prompt; name it st:" + files.model() + " (docs/worker.md)");
        }
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
        kind(Kind.CROSS_ENCODER, CONFIG);
        graphs();
        maxTokens(config);
        String own = settings.activationFn != null ? SETTINGS : CONFIG;
        String activation = settings.activationFn != null
                ? settings.activationFn
                : Objects.requireNonNullElse(
                        config.sentenceTransformers.activationFn, config.sbertCeDefaultActivationFunction);
        String function = last(activation);
        if (!List.of("Sigmoid", "Identity").contains(function)) {
            throw config.fields.bad(
                    "activation_fn", "is " + Printable.quoted(activation), "it must be Sigmoid or Identity");
        }
        put("activation", function.equals("Sigmoid") ? "sigmoid" : "none", own);
        put("truncation", "longest-first", "sentence-transformers");
        put("first-stage", "bm25", "posbias");
    }

    /** Linear layers behind the graph, in order, and the vectors' dimension. */
    private void heads(List<Modules.Module> modules, int width) {
        List<SequencedMap<String, Object>> heads = new ArrayList<>();
        int dimension = width;
        String file = CONFIG;
        for (Modules.Module module : modules) {
            file = module.path() + "/" + CONFIG;
            DenseFile layer = Json.bind(files.json(file), DenseFile.class);
            if (layer.inFeatures != dimension) {
                throw contradiction(layer.fields, "in_features", "is " + layer.inFeatures, "vectors have " + dimension);
            }
            heads.add(head(module.path() + "/", layer));
            dimension = positive(layer.fields, "out_features", layer.outFeatures);
        }
        if (!heads.isEmpty()) {
            put("head", heads.size() == 1 ? heads.getFirst() : heads, file);
        }
        put("dimension", dimension, file);
    }

    private SequencedMap<String, Object> head(String folder, DenseFile layer) {
        String activation = layer.activationFunction;
        if (!List.of("Identity", "Tanh").contains(last(activation)) || layer.useResidual) {
            throw layer.fields.bad(
                    "activation_function", "is " + Printable.quoted(activation), "supported are Identity and Tanh");
        }
        String weights = folder + TABLE;
        if (!files.has(weights) && files.has(folder + "pytorch_model.bin")) {
            throw new PosbiasException(files.model() + " has " + folder + "pytorch_model.bin, a pickle, and no "
                    + weights + ": save the model again by sentence-transformers, or name it st:" + files.model());
        }
        files.require(weights);
        SequencedMap<String, Object> head = new LinkedHashMap<>(Map.of("file", weights));
        if (layer.bias) {
            head.put("bias", "linear.bias");
        }
        if (last(activation).equals("Tanh")) {
            head.put("activation", "tanh");
        }
        return head;
    }

    /** Refuses limits of queries or passages alone, which sentence-transformers 6 knows outside ColBERT too. */
    private void oneLimit() {
        LengthFile lengths = Json.bind(files.optional(part + LENGTHS), LengthFile.class);
        if (lengths.queryLength != null || lengths.documentLength != null) {
            throw lengths.fields.bad(
                    lengths.queryLength != null ? "query_length" : "document_length",
                    "is set",
                    "posbias has one limit for queries and passages; name it st:" + files.model()
                            + " (docs/worker.md), or " + ADVICE);
        }
    }

    /** Puts the limit of sentence_bert_config.json, else that of the tokenizer and the positions. */
    private void maxTokens(Config config) {
        LengthFile lengths = Json.bind(files.optional(part + LENGTHS), LengthFile.class);
        if (lengths.doLowerCase) {
            throw lengths.fields.bad(
                    "do_lower_case", "is true", "posbias lower-cases as tokenizer.json does; " + ADVICE);
        }
        if (lengths.maxSeqLength != null) {
            length(lengths.fields, "max_seq_length", lengths.maxSeqLength, config);
            return;
        }
        TokenizerFile tokenizer = Json.bind(files.optional(part + TOKENIZER_CONFIG), TokenizerFile.class);
        Integer positions = config.positions();
        double said = Objects.requireNonNullElse(tokenizer.modelMaxLength, UNLIMITED);
        if (said < UNLIMITED && (positions == null || said <= positions)) {
            put("max-tokens", positive(tokenizer.fields, MODEL_MAX_LENGTH, (int) said), TOKENIZER_CONFIG);
        } else if (positions != null) {
            put("max-tokens", positive(config.fields, MAX_POSITIONS, positions), CONFIG);
        } else {
            throw tokenizer.fields.bad(
                    MODEL_MAX_LENGTH, "says no limit", CONFIG + " has no " + MAX_POSITIONS + " either; " + ADVICE);
        }
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
        Integer positions = config.positions();
        boolean isMore = positions != null && positions < tokens;
        if (isMore && !config.isOffset()) {
            throw contradiction(fields, name, "is " + tokens, MAX_POSITIONS + " in " + CONFIG + " is " + positions);
        }
        String own = fields.where().file().endsWith(SETTINGS) ? SETTINGS : LENGTHS;
        put("max-tokens", isMore ? Objects.requireNonNull(positions) : tokens, isMore ? CONFIG : own);
    }

    /** The graphs by precision, the files of their weights, and the tokenizer. */
    private void graphs() {
        SequencedMap<String, Object> graphs = new LinkedHashMap<>();
        SequencedMap<String, Object> data = new LinkedHashMap<>();
        for (int i = 0; i < GRAPHS.size(); i++) {
            // optimum writes into the root.
            String named = GRAPHS.get(i);
            String graph = Stream.of(part + "onnx/" + named, part + named, "onnx/" + named)
                    .filter(files::has)
                    .findFirst()
                    .orElse(named);
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
        files.require(part + TOKENIZER);
        record.put("tokenizer", part + TOKENIZER);
    }

    private PosbiasException unexported() {
        if (Kind.SPARSE.word().equals(record.get("kind"))) {
            return new PosbiasException(files.model() + " has no " + part + "onnx/model.onnx and no " + part
                    + "model.onnx; export it: optimum-cli export onnx --task fill-mask --model " + files.model()
                    + " DIR, and put DIR/model.onnx there (docs/own-model.md)");
        }
        boolean needsRecipe = Kind.LATE_INTERACTION.word().equals(record.get("kind"));
        String command = "python3 scripts/export_onnx.py "
                + (needsRecipe ? "RECIPE.yaml" : files.model() + " --kind " + record.get("kind")) + " --out DIR";
        String recipe = needsRecipe ? ", with a recipe that says source: {export: " + files.model() + "}" : "";
        return new PosbiasException(
                files.model() + " has no onnx/model.onnx and no model.onnx; name it st:" + files.model()
                        + " to run it by sentence-transformers (docs/worker.md), or export it: " + command + recipe
                        + " (docs/own-model.md#export)");
    }

    private void kind(Kind kind, String file) {
        put("kind", kind.word(), file);
        record.put("family", kind.family());
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
