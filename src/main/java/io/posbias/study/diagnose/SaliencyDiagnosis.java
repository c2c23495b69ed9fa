package io.posbias.study.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.plot.Figure;
import io.posbias.base.table.Meaning;
import io.posbias.base.table.RecordCsv;
import io.posbias.base.table.Table;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Span;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.run.Diagnosis;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Origin;
import io.posbias.score.result.Study;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code diagnose saliency} with one method. */
public final class SaliencyDiagnosis
        implements Diagnosis<SaliencySource.SaliencyScores, SaliencyDiagnosis.SaliencyFound> {
    private final SaliencyPairs pairs;
    private final SaliencySettings settings;
    private final SaliencyProfile.@Nullable SaliencyBaseline base;
    private final double confidence;
    private final SaliencySource source;

    /**
     * @param base reference of all contrasts; null for the first model
     */
    public SaliencyDiagnosis(
            SaliencyPairs pairs,
            SaliencySettings settings,
            SaliencyProfile.@Nullable SaliencyBaseline base,
            double confidence) {
        this.pairs = pairs;
        this.settings = settings;
        this.base = base;
        this.confidence = confidence;
        this.source = new SaliencySource(pairs, settings);
    }

    @Override
    public String work() {
        return pairs.dataset() + ": " + source.work();
    }

    @Override
    public boolean looksInside() {
        return settings.method().looksInside();
    }

    @Override
    public SaliencySource.SaliencyScores score(Recipe recipe, Engine engine) {
        return source.maps(recipe, engine);
    }

    @Override
    public SaliencyFound find(SaliencySource.SaliencyScores scores, Map<String, SaliencyFound> earlier) {
        SaliencyProfile.SaliencyBaseline first = base == null ? first(earlier) : base;
        Map<String, SaliencyProfile> profiles = new LinkedHashMap<>();
        for (String text : pairs.texts()) {
            List<SaliencyMap> own = SaliencyFound.of(text, scores.maps());
            SaliencyProfile profile = SaliencyProfile.of(own, settings.scale(), confidence);
            profiles.put(
                    text,
                    first == null
                            ? profile
                            : profile.against(first.of(text).contrast(own, settings.method(), confidence)));
        }
        return new SaliencyFound(settings, scores.maps(), scores.engine(), profiles);
    }

    private static SaliencyProfile.@Nullable SaliencyBaseline first(Map<String, SaliencyFound> earlier) {
        return earlier.entrySet().stream()
                .findFirst()
                .map(one -> one.getValue().base(one.getKey()))
                .orElse(null);
    }

    public static Study study() {
        return new Study(
                "diagnose-result-2",
                SaliencyFile.class,
                new Study.Csv("A line for each point of each model's and method's curve.", SaliencyTables.POINTS),
                new Study.Csv("A line for each part of each document.", SCORES));
    }

    public record SaliencyFile(@JsonUnwrapped Origin origin, Saliency saliency) {}

    /**
     * Saliency part of the JSON document.
     *
     * @param engine what looked into the model; null for methods that look into none, and in results of posbias's former engine,
     *     PyTorch in Java
     * @param cut pairs with a truncated document; null for methods that read all
     * @param text2 profile of the second texts; null without probes
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Saliency(
            @JsonUnwrapped SaliencySettings settings,
            @Nullable String engine,
            @JsonProperty("cut_pairs") @Nullable Integer cut,
            @JsonUnwrapped SaliencyProfile profile,
            @Nullable SaliencyProfile text2) {}

    @Override
    public SaliencyFile document(EvaluatedModel model, SaliencyFound found) {
        return new SaliencyFile(
                Origin.of(model, pairs.itemsSha256(), pairs.data(), confidence),
                new Saliency(
                        settings,
                        found.engine(),
                        settings.method().looksInside() ? (Integer) found.cut() : null,
                        found.profiles().values().iterator().next(),
                        found.profiles().get(SaliencyPairs.SECOND)));
    }

    /** A window or token, or the rest. */
    private record SaliencyPartRow(
            @Meaning("identifier of the query; `ITEM:TEXT` for a probe's text")
            String query,

            @Meaning(value = "score of the whole document", unit = "score")
            double score,

            @Meaning("number of the window or token, from 1; `rest` for what belongs to no part of the text")
            String part,

            @Meaning(value = "where it begins in the document, from 0", unit = "code points") @Nullable
            Integer start,

            @Meaning(value = "where it ends, exclusive", unit = "code points") @Nullable
            Integer end,

            @Meaning(value = "its saliency, in the unit of the score", unit = "score")
            double saliency) {}

    private static final RecordCsv<SaliencyPartRow> SCORES = new RecordCsv<>(SaliencyPartRow.class);

    @Override
    public Table scores(SaliencySource.SaliencyScores scores) {
        List<SaliencyPartRow> rows = new ArrayList<>();
        for (SaliencyMap map : scores.maps()) {
            List<Span> points = CodePoints.fromUtf16(
                    map.pair().document(), map.parts().stream().map(map::span).toList());
            for (int i = 0; i < points.size(); i++) {
                rows.add(new SaliencyPartRow(
                        map.pair().name(),
                        map.score(),
                        String.valueOf(i + 1),
                        points.get(i).start(),
                        points.get(i).end(),
                        map.parts().get(i).saliency()));
            }
            if (map.rest() != null) {
                rows.add(new SaliencyPartRow(map.pair().name(), map.score(), "rest", null, null, map.rest()));
            }
        }
        return SCORES.table(rows);
    }

    private SaliencyTables only(Map<String, SaliencyFound> found) {
        return new SaliencyTables(pairs, confidence, List.of()).with(found);
    }

    @Override
    public List<Table> tables(Map<String, SaliencyFound> found) {
        return only(found).tables();
    }

    @Override
    public Table raw(Map<String, SaliencyFound> found) {
        return only(found).raw();
    }

    @Override
    public List<Figure> figures(Map<String, SaliencyFound> found) {
        return only(found).figures();
    }

    /**
     * Saliency of all pairs with one model and method.
     *
     * @param engine what looked into the model; null for methods that look into none
     * @param profiles by text of a probe's item; one empty name for benchmarks
     */
    public record SaliencyFound(
            SaliencySettings settings,
            List<SaliencyMap> maps,
            @Nullable String engine,
            Map<String, SaliencyProfile> profiles) {
        int cut() {
            return (int) maps.stream().filter(SaliencyMap::cut).count();
        }

        SaliencyProfile.SaliencyBaseline base(String model) {
            return new SaliencyProfile.SaliencyBaseline(model, settings.method(), maps);
        }

        /** The maps of one text of each item. */
        static List<SaliencyMap> of(String text, List<SaliencyMap> maps) {
            return maps.stream().filter(map -> map.pair().text().equals(text)).toList();
        }
    }
}
