package io.posbias.model.encode.model;

import static io.posbias.model.encode.model.ModelFolder.ADVICE;
import static io.posbias.model.encode.model.ModelFolder.LENGTHS;
import static io.posbias.model.encode.model.ModelFolder.TOKENIZER_CONFIG;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code config_sentence_transformers.json}, of PyLate too. */
record SavedSettings(
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

    /** The field that makes a model one of PyLate; empty for none. */
    String marker() {
        return queryPrefix != null ? "query_prefix" : documentPrefix != null ? "document_prefix" : "";
    }

    /**
     * {@code sentence_bert_config.json}.
     *
     * @param queryExpansion of ColBERT: a flag, or a record of {@link Expansion}
     */
    record Lengths(
            @Setting(usual = "false") boolean doLowerCase,
            @Nullable Integer maxSeqLength,
            @Nullable Integer queryLength,
            @Nullable Integer documentLength,
            @Nullable Object queryExpansion,
            Fields fields) {
        static Lengths of(ModelFolder files, String folder) {
            return Json.bind(files.optional(folder + LENGTHS), Lengths.class);
        }

        Expansion expansion() {
            return queryExpansion instanceof Map<?, ?>
                    ? Json.bind(fields.record("query_expansion"), Expansion.class)
                    : new Expansion("fixed", false, null, queryLength);
        }
    }

    /** Mask tokens behind ColBERT's queries. */
    record Expansion(
            @Setting(usual = "fixed") String strategy,
            @Setting(usual = "false") boolean attend,
            @Nullable String token,
            @Nullable Integer length) {}

    /**
     * {@code tokenizer_config.json}.
     *
     * @param maskToken a text, or a record with its {@code content}
     */
    record TokenizerFile(
            @Nullable Double modelMaxLength, @Nullable Object maskToken, Fields fields) {
        static String maskToken(ModelFolder files) {
            TokenizerFile tokens = Json.bind(files.json(TOKENIZER_CONFIG), TokenizerFile.class);
            Object mask = tokens.maskToken instanceof Map<?, ?> token ? token.get("content") : tokens.maskToken;
            if (!(mask instanceof String name)) {
                throw tokens.fields.bad("mask_token", "is " + mask, "it must be a string; " + ADVICE);
            }
            return name;
        }
    }
}
