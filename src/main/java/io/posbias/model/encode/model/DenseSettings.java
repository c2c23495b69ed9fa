package io.posbias.model.encode.model;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.TextReader;
import io.posbias.model.encode.onnx.LinearHead;
import io.posbias.model.encode.onnx.ModelFiles;
import io.posbias.model.encode.onnx.ModelSource;
import io.posbias.model.encode.onnx.Precision;
import io.posbias.model.encode.onnx.RowReader;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.encode.onnx.Tokenizer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a dense encoder's recipe.
 *
 * @param graph settings of all encoders
 * @param queryEncoder the queries' own graph; null for one encoder of both
 * @param pooling how a text's token vectors become one; several are concatenated
 * @param poolPrompt whether the prompt's tokens take part in a mean or a maximum
 * @param poolMaskInput the graph's input that takes the pooled tokens; empty for none
 * @param roleInput the graph's input that takes the role of its texts, and the number of each role; null for none
 * @param queryPrompt exact text before queries
 * @param documentPrompt exact text before passages
 * @param attentionCalibration the graph with calibrated attention, as scripts/export_onnx.py --calibrated writes it; empty for none
 */
public record DenseSettings(
        @JsonUnwrapped GraphSettings graph,
        @Nullable QueryGraph queryEncoder,
        @Setting(usual = "mean") List<Pooling> pooling,
        @Setting(usual = "true") boolean poolPrompt,
        @Setting(usual = "''") String poolMaskInput,
        @Nullable RoleInput roleInput,
        @Setting(usual = "''") String queryPrompt,
        @Setting(usual = "''") String documentPrompt,
        @Setting(usual = "''") String attentionCalibration) {
    private static final String CALIBRATED = "attention-calibration";

    /** A graph's input of one number that says whether its texts are queries or passages: task adapters have one. */
    record RoleInput(@Setting(identifier = true) String name, int query, int document) {
        Map<String, Integer> of(Role role) {
            return Map.of(name, role == Role.QUERY ? query : document);
        }
    }

    /**
     * Graph of queries.
     *
     * @param source null for the passages'
     * @param attentionCalibration as in {@link DenseSettings}
     */
    record QueryGraph(
            @Nullable ModelSource source,
            Map<Precision, String> onnx,
            @Setting(usual = "[]") List<String> externalData,
            @Setting(usual = "''") String attentionCalibration) {
        QueryGraph {
            onnx.values().forEach(file -> ModelFiles.refuseUnsafe("onnx", file));
            externalData.forEach(file -> ModelFiles.refuseUnsafe("external-data", file));
            refuseUnlessGraph(attentionCalibration);
        }
    }

    public DenseSettings {
        Precision precision = graph.named().precision();
        if (queryEncoder != null && !queryEncoder.onnx.containsKey(precision)) {
            String word = Suggestions.word(precision);
            throw new Setting.Wrong("query-encoder", "names no graph of precision " + word, "this recipe uses " + word);
        }
        if (pooling.isEmpty() || (pooling.size() > 1 && pooling.contains(Pooling.NONE))) {
            throw new Setting.Wrong("pooling", "is " + words(pooling), "name one, or several that read tokens");
        }
        boolean overTokens = pooling.stream().anyMatch(Pooling::isOverTokens);
        if (!poolPrompt && !overTokens && poolMaskInput.isEmpty()) {
            throw new Setting.Wrong("pool-prompt", "has no meaning with pooling: " + words(pooling), "remove it");
        }
        refuseUnlessGraph(attentionCalibration);
        if (queryEncoder != null && queryEncoder.attentionCalibration.isEmpty() != attentionCalibration.isEmpty()) {
            throw new Setting.Wrong(
                    CALIBRATED,
                    "is given for one of two encoders",
                    "the other is under query-encoder: give both or none");
        }
    }

    private static void refuseUnlessGraph(String calibrated) {
        if (!calibrated.isEmpty()) {
            ModelFiles.refuseUnsafe(CALIBRATED, calibrated);
            if (!calibrated.endsWith(".onnx")) {
                throw new Setting.Wrong(
                        CALIBRATED,
                        "is " + Printable.quoted(calibrated),
                        "it names the ONNX file that 'scripts/export_onnx.py --calibrated' wrote");
            }
        }
    }

    /** Returns true if this is the one way of pooling. */
    public boolean pools(Pooling one) {
        return pooling.equals(List.of(one));
    }

    private static String words(List<Pooling> poolings) {
        return String.join(", ", Suggestions.words(poolings));
    }

    /** Returns the files of the queries' own encoder; null for one encoder of both. */
    public @Nullable ModelFiles queryFiles() {
        if (queryEncoder == null) {
            return null;
        }
        String file = Objects.requireNonNull(queryEncoder.onnx.get(graph.named().precision()));
        return graph.named().files().other(queryEncoder.source, file, queryEncoder.externalData);
    }

    /** Returns a SHA-256 of the fields that vectors depend on. */
    public String fingerprint() {
        return Json.fingerprint(graph.written(), DenseSettings.class);
    }

    /** The files that must be there. */
    public List<ModelFiles> files() {
        ModelFiles queries = queryFiles();
        return queries == null ? List.of(graph.files()) : List.of(graph.files(), queries);
    }

    /** As {@link #files}, with the graphs of calibrated attention; only of settings that name them. */
    public List<ModelFiles> calibratedFiles() {
        List<String> graphs = queryEncoder == null
                ? List.of(attentionCalibration)
                : List.of(attentionCalibration, queryEncoder.attentionCalibration);
        List<ModelFiles> plain = files();
        return IntStream.range(0, graphs.size())
                .mapToObj(i -> plain.get(i).withGraph(graphs.get(i)))
                .toList();
    }

    /** Opens a reader of texts, by the tokenizer alone. */
    public TextReader reader(Engine engine) {
        Tokenizer tokenizer = graph.files().tokenizer(engine.session());
        return new RowReader(rows(tokenizer, Role.QUERY), rows(tokenizer, Role.PASSAGE));
    }

    /** Returns why a passage's vector is not a sum over its tokens; empty if it is one. */
    public Optional<String> notASum() {
        if (!pools(Pooling.MEAN)) {
            return Optional.of("has pooling: " + words(pooling) + ", and only a mean is a sum over tokens");
        }
        return graph.head().stream().anyMatch(LinearHead.HeadSettings::tanh)
                ? Optional.of("has a head that ends in tanh, behind which tokens no longer add up")
                : Optional.empty();
    }

    public TextRows rows(Tokenizer tokenizer, Role role) {
        return new TextRows(
                tokenizer,
                graph.onnx().complete(tokenizer.single(), tokenizer),
                role == Role.QUERY ? queryPrompt : documentPrompt,
                graph.onnx().maxTokens());
    }

    /** The first token of a row that takes part in a mean or a maximum. */
    public int firstPooled(TokenRow row) {
        return poolPrompt ? 0 : Math.min(row.prompt(), row.size() - 1);
    }
}
