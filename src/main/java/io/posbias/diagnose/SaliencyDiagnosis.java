package io.posbias.diagnose;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Plural;
import io.posbias.dataset.Span;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Diagnosis;
import io.posbias.evaluate.Origin;
import io.posbias.plot.Figure;
import io.posbias.result.EvaluatedModel;
import io.posbias.retrieve.Recipe;
import io.posbias.table.NumberFormat;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code diagnose saliency} by one method: what each part of a document matters to its score, and where that is. */
public final class SaliencyDiagnosis implements Diagnosis<List<SaliencyMap>, SaliencyDiagnosis.Found> {
    private final SaliencyPairs pairs;
    private final Settings settings;
    private final SaliencyProfile.@Nullable Base base;
    private final double confidence;
    private final SaliencySource source;

    /**
     * How saliency is found.
     *
     * @param unit what documents are cut into, for example "word"
     * @param window words left out at a time; null where none are
     * @param stride words from one window to the next; null likewise
     * @param minWords the fewest words of a document
     * @param minTokens the fewest tokens of a document, as the benchmark counts them; null where tokens do not matter
     * @param scale what each document is divided by in points, bins and curves
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Settings(
            SaliencyMethod method,
            String unit,
            @Nullable Integer window,
            @Nullable Integer stride,
            int minWords,
            @Nullable Integer minTokens,
            SaliencyScale scale) {
        /**
         * Those of a method.
         *
         * @param window words left out at a time, with occlusion
         */
        public static Settings of(
                SaliencyMethod method,
                int window,
                int stride,
                int minWords,
                @Nullable Integer minTokens,
                SaliencyScale scale) {
            boolean windows = method == SaliencyMethod.OCCLUSION;
            return new Settings(
                    method,
                    method.unit(),
                    windows ? (Integer) window : null,
                    windows ? (Integer) stride : null,
                    minWords,
                    minTokens,
                    scale);
        }

        /** Whether values have no unit. */
        boolean isScaled() {
            return scale != SaliencyScale.NONE;
        }

        /** In words, for titles. */
        public String describe() {
            if (window == null || stride == null) {
                return method == SaliencyMethod.GRADIENT ? "gradient, norm per token" : method.toString();
            }
            return method + ", windows of " + Plural.of(window, "word")
                    + (stride < window ? ", one every " + stride : "");
        }
    }

    /**
     * @param base what all models are contrasted with; null for the first of them
     * @param confidence of all intervals, between 0 and 1
     */
    public SaliencyDiagnosis(
            SaliencyPairs pairs, Settings settings, SaliencyProfile.@Nullable Base base, double confidence) {
        this.pairs = pairs;
        this.settings = settings;
        this.base = base;
        this.confidence = confidence;
        this.source = source(pairs, settings);
    }

    private static SaliencySource source(SaliencyPairs pairs, Settings settings) {
        Integer window = settings.window();
        Integer stride = settings.stride();
        if (window != null && stride != null) {
            return new SaliencySource.ByOcclusion(pairs.documents().dataset(), pairs.fits(), window, stride);
        }
        return settings.method() == SaliencyMethod.GRADIENT
                ? new SaliencySource.ByGradient(pairs.fits())
                : new SaliencySource.ByContribution(pairs.fits());
    }

    @Override
    public String work() {
        return pairs.dataset() + ": " + source.work();
    }

    @Override
    public boolean looksInside() {
        return settings.method() == SaliencyMethod.GRADIENT;
    }

    @Override
    public List<SaliencyMap> score(Recipe recipe, Engine engine) {
        return source.maps(recipe, engine);
    }

    /**
     * What was found of a model.
     *
     * @param maps of each pair of query and document
     */
    public record Found(Settings settings, List<SaliencyMap> maps, SaliencyProfile profile) {
        /** How many pairs have a document of which the model reads a part. */
        int cut() {
            return (int) maps.stream().filter(SaliencyMap::cut).count();
        }

        /** As what others are contrasted with. */
        SaliencyProfile.Base base(String model) {
            return new SaliencyProfile.Base(model, settings.method(), maps);
        }
    }

    @Override
    public Found find(List<SaliencyMap> scores, Map<String, Found> earlier) {
        SaliencyProfile profile = SaliencyProfile.of(scores, pairs.clusters(), settings.scale(), confidence);
        SaliencyProfile.Base first = base == null ? first(earlier) : base;
        return new Found(
                settings,
                scores,
                first == null
                        ? profile
                        : profile.against(first.contrast(scores, settings.method(), pairs.clusters(), confidence)));
    }

    private static SaliencyProfile.@Nullable Base first(Map<String, Found> earlier) {
        return earlier.entrySet().stream()
                .findFirst()
                .map(one -> one.getValue().base(one.getKey()))
                .orElse(null);
    }

    /** What result.json holds. */
    public record Document(@JsonUnwrapped Origin origin, Saliency saliency) {}

    /**
     * The part of result.json that is about saliency.
     *
     * @param cut pairs with a document of which the model reads a part, and whose curve covers that part; null where
     *     curves cover all
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Saliency(
            @JsonUnwrapped Settings settings,
            @JsonProperty("cut_pairs") @Nullable Integer cut,
            @JsonUnwrapped SaliencyProfile profile) {}

    @Override
    public Document document(EvaluatedModel model, Found found) {
        return new Document(
                Origin.of(model, null, pairs.documents().dataset(), pairs.pooled(), confidence),
                new Saliency(
                        settings,
                        settings.method() == SaliencyMethod.GRADIENT ? (Integer) found.cut() : null,
                        found.profile()));
    }

    /**
     * A window or token.
     *
     * @param part its number from 1; "rest" for what belongs to no part of the text
     * @param start in code points; null likewise
     */
    private record Part(
            String query,
            double score,
            String part,
            @Nullable Integer start,
            @Nullable Integer end,
            double saliency) {}

    @Override
    public Table scores(List<SaliencyMap> scores) {
        List<Part> parts = new ArrayList<>();
        for (SaliencyMap map : scores) {
            Offsets offsets = new Offsets(map.text());
            for (int i = 0; i < map.parts().size(); i++) {
                Span span = map.span(map.parts().get(i));
                parts.add(new Part(
                        map.id(),
                        map.score(),
                        String.valueOf(i + 1),
                        offsets.of(span.start()),
                        offsets.of(span.end()),
                        map.parts().get(i).saliency()));
            }
            if (map.rest() != null) {
                parts.add(new Part(map.id(), map.score(), "rest", null, null, map.rest()));
            }
        }
        return SCORES.raw(parts);
    }

    private static final Sheet<Part> SCORES = new Sheet<Part>()
            .plain("query", Part::query)
            .means("identifier of the query")
            .number("score", NumberFormat.ANY_SCORE, Part::score)
            .means("score of the whole document", "score")
            .plain("part", Part::part)
            .means("number of the window or token, from 1; `rest` for what belongs to no part of the text")
            .plain("start", Part::start)
            .means("where it begins in the document, from 0", "code points")
            .plain("end", Part::end)
            .means("where it ends, exclusive", "code points")
            .number("saliency", NumberFormat.ANY_SCORE, Part::saliency)
            .means("its saliency, in the unit of the score");

    /** The columns of {@link #scores}, for the reference. */
    public static Sheet<?> scoreColumns() {
        return SCORES;
    }

    /** From UTF-16 units to code points; asked for ascending places it walks once. */
    private static final class Offsets {
        private final String text;
        private int unit;
        private int point;

        Offsets(String text) {
            this.text = text;
        }

        int of(int place) {
            if (place < unit) {
                unit = 0;
                point = 0;
            }
            point += text.codePointCount(unit, place);
            unit = place;
            return point;
        }
    }

    /** What was found with this method alone. */
    private SaliencyTables only(Map<String, Found> found) {
        return new SaliencyTables(pairs, confidence).with(found);
    }

    @Override
    public List<Table> tables(Map<String, Found> found) {
        return only(found).tables();
    }

    @Override
    public Table raw(Map<String, Found> found) {
        return only(found).raw();
    }

    @Override
    public List<Figure> figures(Map<String, Found> found) {
        return only(found).figures();
    }
}
