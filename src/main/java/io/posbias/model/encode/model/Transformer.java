package io.posbias.model.encode.model;

import static io.posbias.model.encode.model.ModelFolder.ADVICE;
import static io.posbias.model.encode.model.ModelFolder.CONFIG;
import static io.posbias.model.encode.model.ModelFolder.LENGTHS;
import static io.posbias.model.encode.model.ModelFolder.MODULES;
import static io.posbias.model.encode.model.ModelFolder.SETTINGS;
import static io.posbias.model.encode.model.ModelFolder.TOKENIZER_CONFIG;
import static io.posbias.model.encode.model.SavedModule.positive;
import static io.posbias.model.encode.model.SavedModule.present;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Printable;
import io.posbias.model.encode.model.SavedSettings.Expansion;
import io.posbias.model.encode.model.SavedSettings.Lengths;
import io.posbias.model.encode.model.SavedSettings.TokenizerFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** The module Transformer, whose file is the model's {@code config.json}. */
record Transformer(
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
        Fields fields)
        implements SavedModule {
    private static final String MODEL_MAX_LENGTH = "model_max_length";
    private static final String MAX_POSITIONS = "max_position_embeddings";

    /** The origin of values that PyLate fixes. */
    private static final String PYLATE = "pylate";

    /** Larger values of {@code model_max_length} stand for "unlimited". */
    private static final double UNLIMITED = 1e7;

    /** Those whose positions begin behind the padding token's number: {@code max_position_embeddings} has 514 for 512. */
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

    record Activation(@Nullable String activationFn) {}

    /** Returns what the analysis of a model's inside needs; empty for architectures that it does not know. */
    Optional<SequencedMap<String, Object>> inside() {
        if (!modelType.equals("bert")) {
            return Optional.empty();
        }
        SequencedMap<String, Object> inside = new LinkedHashMap<>(Map.of("family", "bert"));
        inside.put("heads", positive(fields, "num_attention_heads", numAttentionHeads));
        return Optional.of(inside);
    }

    private boolean isClassifier() {
        return architecture().endsWith("ForSequenceClassification");
    }

    private String architecture() {
        return architectures.stream().findFirst().orElse("missing");
    }

    /** Returns the most tokens that the transformer has positions for; null if its configuration does not say. */
    private @Nullable Integer positions() {
        return maxPositionEmbeddings == null || !OFFSET.contains(modelType)
                ? maxPositionEmbeddings
                : Integer.valueOf(maxPositionEmbeddings - Objects.requireNonNullElse(padTokenId, 1) - 1);
    }

    @Override
    public void into(InferredRecipe recipe, String folder) {
        recipe.transformer = this;
        switch (recipe.kind) {
            case CROSS_ENCODER -> crossEncoder(recipe);
            case LATE_INTERACTION -> lateInteraction(recipe);
            default -> {
                if (recipe.kind == Kind.DENSE && isClassifier()) {
                    throw SavedModule.contradiction(
                            fields, "architectures", "is " + architecture(), MODULES + " has a module Pooling");
                }
                recipe.graphs(folder);
                maxTokens(recipe, folder);
            }
        }
    }

    /** Puts the limit of sentence_bert_config.json, else that of the tokenizer and the positions. */
    private void maxTokens(InferredRecipe recipe, String folder) {
        Lengths lengths = Lengths.of(recipe.files, folder);
        Fields given = lengths.fields();
        boolean isTwo = lengths.queryLength() != null || lengths.documentLength() != null;
        if (isTwo && (recipe.kind == Kind.DENSE || recipe.kind == Kind.SPARSE)) {
            // sentence-transformers 6 knows them outside ColBERT too.
            throw given.bad(
                    lengths.queryLength() != null ? "query_length" : "document_length",
                    "is set",
                    "posbias has one limit for queries and passages; name it st:" + recipe.files.model()
                            + " (docs/worker.md), or " + ADVICE);
        }
        if (lengths.doLowerCase()) {
            throw given.bad("do_lower_case", "is true", "posbias lower-cases as tokenizer.json does; " + ADVICE);
        }
        if (lengths.maxSeqLength() != null) {
            length(recipe, given, "max_seq_length", lengths.maxSeqLength());
            return;
        }
        TokenizerFile tokenizer = Json.bind(recipe.files.optional(folder + TOKENIZER_CONFIG), TokenizerFile.class);
        Integer positions = positions();
        double said = Objects.requireNonNullElse(tokenizer.modelMaxLength(), UNLIMITED);
        if (said < UNLIMITED && (positions == null || said <= positions)) {
            recipe.put("max-tokens", positive(tokenizer.fields(), MODEL_MAX_LENGTH, (int) said), TOKENIZER_CONFIG);
        } else if (positions != null) {
            recipe.put("max-tokens", positive(fields, MAX_POSITIONS, positions), CONFIG);
        } else {
            throw tokenizer
                    .fields()
                    .bad(MODEL_MAX_LENGTH, "says no limit", CONFIG + " has no " + MAX_POSITIONS + " either; " + ADVICE);
        }
    }

    private void length(InferredRecipe recipe, Fields given, String name, @Nullable Integer limit) {
        int tokens = positive(given, name, limit);
        Integer positions = positions();
        boolean isMore = positions != null && positions < tokens;
        if (isMore && !OFFSET.contains(modelType)) {
            throw SavedModule.contradiction(
                    given, name, "is " + tokens, MAX_POSITIONS + " in " + CONFIG + " is " + positions);
        }
        recipe.put("max-tokens", isMore ? Objects.requireNonNull(positions) : tokens, isMore ? CONFIG : origin(given));
    }

    private static String origin(Fields given) {
        return given.where().file().endsWith(SETTINGS) ? SETTINGS : LENGTHS;
    }

    /** ColBERT: PyLate has markers, sentence-transformers 6 prompts and a mask. */
    private void lateInteraction(InferredRecipe recipe) {
        recipe.graphs("");
        SavedSettings settings = recipe.settings;
        if (!recipe.isPylate) {
            recipe.similarity("maxsim", List.of("maxsim"));
            recipe.prompts();
            Lengths lengths = Lengths.of(recipe.files, "");
            Fields own = lengths.fields();
            boolean isOn = lengths.queryExpansion() != null
                    && !lengths.queryExpansion().equals(false);
            Expansion expansion = lengths.expansion();
            if (isOn && !expansion.strategy().equals("fixed")) {
                throw own.bad(
                        "query_expansion.strategy",
                        "is " + Printable.quoted(expansion.strategy()),
                        "it must be fixed; name it st:" + recipe.files.model() + " (docs/worker.md)");
            }
            expansion(recipe, own, isOn, expansion);
            if (lengths.documentLength() == null) {
                maxTokens(recipe, "");
            } else {
                length(recipe, own, "document_length", lengths.documentLength());
            }
        } else {
            Fields own = settings.fields();
            recipe.put("query-marker", present(own, "query_prefix", settings.queryPrefix()), SETTINGS);
            recipe.put("document-marker", present(own, "document_prefix", settings.documentPrefix()), SETTINGS);
            int length = present(own, "query_length", settings.queryLength());
            expansion(
                    recipe,
                    own,
                    settings.doQueryExpansion(),
                    new Expansion("fixed", settings.attendToExpansionTokens(), null, length));
            length(recipe, own, "document_length", settings.documentLength());
            recipe.put("skip", present(own, "skiplist_words", settings.skiplistWords()), SETTINGS);
            recipe.put("skip-lookup", "token", PYLATE);
            recipe.put("normalise", true, PYLATE);
            recipe.put("score", "sum", PYLATE);
        }
        recipe.width(positive(fields, "hidden_size", hiddenSize), CONFIG);
    }

    /** Mask tokens behind queries. */
    private static void expansion(InferredRecipe recipe, Fields given, boolean isOn, Expansion expansion) {
        if (expansion.length() != null || isOn) {
            recipe.put("query-length", positive(given, "query_length", expansion.length()), origin(given));
        }
        recipe.put("query-expansion", isOn, origin(given));
        if (isOn) {
            String mask = expansion.token() == null ? TokenizerFile.maskToken(recipe.files) : expansion.token();
            recipe.put("mask-token", mask, TOKENIZER_CONFIG);
            recipe.put("attend-to-expansion", expansion.attend(), origin(given));
        }
    }

    /** A cross-encoder, whose activation stands in its settings since sentence-transformers 5.4. */
    private void crossEncoder(InferredRecipe recipe) {
        SavedSettings settings = recipe.settings;
        String prompt = settings.defaultPromptName();
        if (prompt != null && !settings.prompt(prompt).isEmpty()) {
            throw settings.fields()
                    .bad(
                            "default_prompt_name",
                            "is " + Printable.quoted(prompt),
                            "posbias gives cross-encoders no prompt; name it st:" + recipe.files.model()
                                    + " (docs/worker.md)");
        }
        if (!isClassifier()) {
            throw fields.bad(
                    "architectures",
                    "is " + architecture() + ", and there is no " + MODULES,
                    "an encoder has that file, a cross-encoder ends in ForSequenceClassification; " + ADVICE);
        }
        int labels = Objects.requireNonNullElse(numLabels, id2label.size());
        if (labels != 1) {
            throw fields.bad("id2label", "has " + labels + " labels", "a cross-encoder has one; " + ADVICE);
        }
        recipe.graphs("");
        maxTokens(recipe, "");
        String activation = settings.activationFn() != null
                ? settings.activationFn()
                : Objects.requireNonNullElse(sentenceTransformers.activationFn, sbertCeDefaultActivationFunction);
        String function = SavedModule.last(activation);
        if (!List.of("Sigmoid", "Identity").contains(function)) {
            throw fields.bad("activation_fn", "is " + Printable.quoted(activation), "it must be Sigmoid or Identity");
        }
        recipe.put(
                "activation",
                function.equals("Sigmoid") ? "sigmoid" : "none",
                settings.activationFn() != null ? SETTINGS : CONFIG);
        recipe.put("truncation", "longest-first", LIBRARY);
        recipe.put("first-stage", "bm25", "posbias");
    }
}
