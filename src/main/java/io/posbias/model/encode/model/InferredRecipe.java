package io.posbias.model.encode.model;

import static io.posbias.model.encode.model.ModelFolder.ADVICE;
import static io.posbias.model.encode.model.ModelFolder.CONFIG;
import static io.posbias.model.encode.model.ModelFolder.MODULES;
import static io.posbias.model.encode.model.ModelFolder.ROUTER;
import static io.posbias.model.encode.model.ModelFolder.SETTINGS;
import static io.posbias.model.encode.model.ModelFolder.TABLE;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
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
    private static final String SPLADE = "(MLM)?Transformer SpladePooling";

    /** Usual limit of model2vec's {@code encode}. */
    private static final int MODEL2VEC_TOKENS = 512;

    private static final List<String> PRECISIONS = List.of("float32", "float16", "int8");
    private static final List<String> GRAPHS = List.of("model.onnx", "model_fp16.onnx", "model_quantized.onnx");

    private final Optional<KnownModel> known;
    private final @Nullable String instruction;
    private final SequencedMap<String, @Nullable Object> record = new LinkedHashMap<>();
    private final SequencedMap<String, List<String>> origins = new LinkedHashMap<>();
    private String widthOrigin = CONFIG;

    // What modules read and write.
    final ModelFolder files;
    final SavedSettings settings;
    final List<SequencedMap<String, Object>> heads = new ArrayList<>();
    Kind kind = Kind.DENSE;
    boolean isNormalised;
    boolean isPylate;
    int width;

    @Nullable
    Transformer transformer;

    private record Listed(List<SavedModule.Entry> modules, Fields fields) {}

    private InferredRecipe(ModelFolder files, Optional<KnownModel> known, @Nullable String instruction) {
        this.files = files;
        this.known = known;
        this.instruction = instruction;
        this.settings = Json.bind(files.optional(SETTINGS), SavedSettings.class);
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
            recipe.table("");
        } else {
            recipe.kind(Kind.CROSS_ENCODER, CONFIG);
            new SavedModule.Entry("Transformer", "").into(recipe);
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
        Listed list = Json.bind(files.modules(), Listed.class);
        String types = types(list.modules);
        String root = list.modules.isEmpty() ? "" : list.modules.getFirst().path();
        if (types.matches("StaticEmbedding( Normalize)?")) {
            isNormalised = types.endsWith("Normalize");
            table(root.isEmpty() || root.equals(".") ? "" : root + "/");
        } else if (root.isEmpty() && types.equals("Router")) {
            router();
        } else {
            // Before the types: an older layout has its transformer, and this file, in a folder.
            files.require(CONFIG);
            kind(list, root.isEmpty() ? types : "");
            walk(list.modules);
        }
    }

    /** SPLADE for passages, and for queries a table of weights: folders of modules, and the type of each. */
    private void router() {
        Fields router = files.json(ROUTER);
        List<String> queries = router.record("structure").texts("query");
        List<String> passages = router.record("structure").texts("document");
        List<SavedModule.Entry> all = Stream.concat(queries.stream(), passages.stream())
                .map(folder -> new SavedModule.Entry(router.record("types").text(folder), folder))
                .toList();
        String types = types(all);
        if (queries.size() != 1 || !types.matches("SparseStaticEmbedding " + SPLADE)) {
            throw router.bad(
                    "structure",
                    "has the types " + Printable.cut(types),
                    "supported are SparseStaticEmbedding for queries, and Transformer with SpladePooling for documents");
        }
        kind(Kind.SPARSE, MODULES);
        walk(all.subList(1, all.size()));
        String weights = Stream.of(queries.getFirst() + "/" + TABLE, "idf.json")
                .filter(files::has)
                .findFirst()
                .orElse(TABLE);
        files.require(weights);
        put("query-weights", weights, ROUTER);
    }

    /** Puts the kind of model that a row of modules makes. */
    private void kind(Listed list, String types) {
        String marker = settings.marker();
        if (settings.modelType().equals("CrossEncoder") && types.equals("Transformer")) {
            kind(Kind.CROSS_ENCODER, CONFIG);
        } else if (types.matches(SPLADE)) {
            kind(Kind.SPARSE, MODULES);
        } else if (types.matches("Transformer( Dense)* MultiVectorMask( Normalize)?")) {
            kind(Kind.LATE_INTERACTION, MODULES);
        } else if (!types.matches("Transformer( Pooling)?( Dense)*( Normalize)?")) {
            throw list.fields.bad(
                    "modules",
                    "has the types " + Printable.cut(types(list.modules).replace(" ", ", ")),
                    "supported are Transformer (in the root), Pooling, Dense, Normalize, in this order, ColBERT's "
                            + "MultiVectorMask, SpladePooling, StaticEmbedding; name it st:" + files.model()
                            + " (docs/worker.md), or " + ADVICE);
        } else if (!types.contains("Pooling")) {
            if (marker.isEmpty()) {
                throw list.fields.bad("modules", "has no type Pooling, and " + SETTINGS + " no query_prefix", ADVICE);
            }
            isPylate = true;
            kind(Kind.LATE_INTERACTION, SETTINGS);
        } else if (marker.isEmpty()) {
            kind(Kind.DENSE, MODULES);
        } else {
            throw SavedModule.contradiction(settings.fields(), marker, "is present", MODULES + " has a module Pooling");
        }
    }

    /** Adds what each module says, then what they say together. */
    private void walk(List<SavedModule.Entry> modules) {
        modules.forEach(module -> module.into(this));
        switch (kind) {
            case SPARSE -> {
                similarity("dot", List.of("dot"));
                prompts();
            }
            case DENSE -> {
                String similarity = similarity(isNormalised ? "cosine" : "", List.of("cosine", "dot"));
                put("normalise", isNormalised || similarity.equals("cosine"), isNormalised ? MODULES : SETTINGS);
                put("similarity", similarity, settings.similarityFnName() != null ? SETTINGS : MODULES);
                prompts();
                heads();
                if (heads.isEmpty() && transformer != null) {
                    transformer.inside().ifPresent(inside -> record.put("transformer", inside));
                }
            }
            case LATE_INTERACTION -> {
                if (!isPylate) {
                    put("normalise", isNormalised, MODULES);
                    put("score", "sum", SETTINGS);
                }
                heads();
            }
            default -> {}
        }
    }

    private void heads() {
        if (!heads.isEmpty()) {
            put("head", heads.size() == 1 ? heads.getFirst() : heads, widthOrigin);
        }
        put("dimension", width, widthOrigin);
    }

    /** Returns a name that the settings have or that is usual, one of those known. */
    String similarity(String usual, List<String> known) {
        String said = Objects.requireNonNullElse(settings.similarityFnName(), usual);
        String named = said.equals("dot_product") ? "dot" : said;
        if (!known.contains(named)) {
            throw settings.fields()
                    .bad(
                            "similarity_fn_name",
                            usual.isEmpty() && named.isEmpty()
                                    ? "is missing, and " + MODULES + " has no type Normalize"
                                    : "is " + Printable.quoted(named),
                            "it must be " + String.join(" or ", known) + "; " + ADVICE);
        }
        return named;
    }

    /** Prompts as sentence-transformers' encode_query and encode_document choose them. */
    void prompts() {
        Map<String, @Nullable String> prompts = settings.prompts();
        String usual = settings.defaultPromptName() == null ? "" : settings.prompt(settings.defaultPromptName());
        List<String> documents = Stream.of("document", "passage", "corpus")
                .filter(name -> prompts.get(name) != null)
                .toList();
        if (documents.stream().map(settings::prompt).distinct().count() > 1) {
            throw settings.fields().bad("prompts." + documents.get(0), "differs from " + documents.get(1), ADVICE);
        }
        String asked = prompts.get("query");
        boolean isNamed = asked != null || !documents.isEmpty() || settings.defaultPromptName() != null;
        if (!isNamed && !prompts.isEmpty()) {
            throw settings.fields()
                    .bad(
                            "prompts.query",
                            "is missing",
                            "prompts: " + String.join(", ", prompts.keySet()) + "; " + ADVICE);
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
    private void table(String folder) {
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
        // Both libraries compare vectors of any length by their cosine.
        String similarity = similarity("cosine", List.of("cosine", "dot"));
        boolean isOfLengthOne = isNormalised || own.flag("normalize");
        put("normalise", isOfLengthOne || similarity.equals("cosine"), isOfLengthOne ? MODULES : SETTINGS);
        put("similarity", similarity, SETTINGS);
        prompts();
    }

    /** The graphs by precision, the files of their weights, and the tokenizer. */
    void graphs(String folder) {
        SequencedMap<String, Object> graphs = new LinkedHashMap<>();
        SequencedMap<String, Object> data = new LinkedHashMap<>();
        for (int i = 0; i < GRAPHS.size(); i++) {
            // optimum writes into the root.
            String named = GRAPHS.get(i);
            String graph = Stream.of(folder + "onnx/" + named, folder + named, "onnx/" + named)
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
            throw unexported(folder);
        }
        record.put("onnx", graphs);
        origins.put("onnx", List.of(String.join(", ", graphs.keySet())));
        if (!data.isEmpty()) {
            record.put("external-data", data);
        }
        files.require(folder + TOKENIZER);
        record.put("tokenizer", folder + TOKENIZER);
    }

    private PosbiasException unexported(String folder) {
        if (kind == Kind.SPARSE) {
            return new PosbiasException(files.model() + " has no " + folder + "onnx/model.onnx and no " + folder
                    + "model.onnx; export it: optimum-cli export onnx --task fill-mask --model " + files.model()
                    + " DIR, and put DIR/model.onnx there (docs/own-model.md)");
        }
        boolean needsRecipe = kind == Kind.LATE_INTERACTION;
        String command = "python3 scripts/export_onnx.py "
                + (needsRecipe ? "RECIPE.yaml" : files.model() + " --kind " + kind.word()) + " --out DIR";
        String recipe = needsRecipe ? ", with a recipe that says source: {export: " + files.model() + "}" : "";
        return new PosbiasException(
                files.model() + " has no onnx/model.onnx and no model.onnx; name it st:" + files.model()
                        + " to run it by sentence-transformers (docs/worker.md), or export it: " + command + recipe
                        + " (docs/own-model.md#export)");
    }

    private static String types(List<SavedModule.Entry> modules) {
        return modules.stream().map(SavedModule.Entry::name).collect(Collectors.joining(" "));
    }

    /** @param file says the width */
    void width(int found, String file) {
        width = found;
        widthOrigin = file;
    }

    private void kind(Kind kind, String file) {
        this.kind = kind;
        put("kind", kind.word(), file);
        record.put("family", kind.family());
    }

    void put(String field, Object value, String file) {
        record.put(field, value);
        origins.computeIfAbsent(file, key -> new ArrayList<>()).add(field + " " + shown(value));
    }

    private static String shown(Object value) {
        return value instanceof String text && (text.isEmpty() || !text.equals(text.strip()))
                ? Printable.quoted(text)
                : Printable.cut(String.valueOf(value));
    }
}
