package io.posbias.calibrate;

import io.posbias.Session;
import io.posbias.Staging;
import io.posbias.Temporary;
import io.posbias.calibrate.ReferenceEncoder.Shape;
import io.posbias.calibrate.ReferenceSpec.Kind;
import io.posbias.dataset.Dataset;
import io.posbias.diagnose.Documents;
import io.posbias.diagnose.PlacedEvidence;
import io.posbias.diagnose.PositionDiagnosis;
import io.posbias.diagnose.PositionTables;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Evaluation;
import io.posbias.evaluate.ModelStore;
import io.posbias.evaluate.Scoring;
import io.posbias.evaluate.Stopwatch;
import io.posbias.measure.Bias;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.ContentFixedFit;
import io.posbias.measure.Measures;
import io.posbias.measure.Placement;
import io.posbias.measure.Profile;
import io.posbias.measure.Profiler;
import io.posbias.measure.Units;
import io.posbias.measure.Verdict;
import io.posbias.position.Strata;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrievedRun;
import io.posbias.stats.Estimate;
import io.posbias.table.Cell;
import io.posbias.table.Sheet;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Models that do not see positions, and models with a planted preference, on the texts of real benchmarks, whose evidence
 * is where it is: the raw profile takes content for position there, what holds the content fixed must not.
 *
 * @param choice how evidence is placed
 * @param n queries drawn of each benchmark
 * @param seed of the draws, and of words' vectors
 */
public record CorpusCalibration(PlacedEvidence.Choice choice, int n, int seed, int draws, Engine engine) {
    private static final int DEPTH = 11;
    private static final int MAX_TOKENS = 1 << 17;
    /** Real texts have ten times the words of made up ones: with fewer numbers a vector takes one for another too often. */
    private static final int DIMENSION = 768;

    private static final double PENALTY = 0.2;
    private static final List<String> BM25 = List.of("bm25", "bm25-lucene");

    private static final List<ReferenceSpec> PLANTED = List.of(
            new ReferenceSpec(Kind.FLAT, 0),
            new ReferenceSpec(Kind.LATE_FLAT, 0),
            new ReferenceSpec(Kind.RECENCY, 2),
            new ReferenceSpec(Kind.RECENCY, 1),
            new ReferenceSpec(Kind.RECENCY, 0.5),
            new ReferenceSpec(Kind.PRIMACY, 0.5),
            new ReferenceSpec(Kind.PRIMACY, 1),
            new ReferenceSpec(Kind.PRIMACY, 2));

    /**
     * What was found of a model on a benchmark.
     *
     * @param planted what was built in; {@code flat} for what does not see positions
     * @param strength of it; 0 for nothing
     * @param queries behind the content held fixed
     * @param units of these
     * @param rawVerdict of the profile, each query by itself
     * @param rawPValue of PSI, likewise
     * @param clusteredVerdict of the profile, queries of a passage as one
     * @param clusteredPValue of PSI, likewise
     * @param frontMinusBack with the content held fixed
     * @param verdict with the content held fixed
     * @param check whether that is what was planted
     */
    public record Row(
            String dataset,
            String model,
            String planted,
            double strength,
            int queries,
            int units,
            Verdict rawVerdict,
            @Nullable Double rawPValue,
            Verdict clusteredVerdict,
            @Nullable Double clusteredPValue,
            Estimate frontMinusBack,
            Bias verdict,
            Check check) {}

    /** What an outcome is worth. */
    public enum Check {
        /** No direction where nothing was planted, or the planted sign beyond noise. */
        OK,
        /** A planted bias within noise: too few queries, or evidence that does not decide ranks. */
        MISSED,
        /** A direction where nothing was planted, or the other sign beyond noise. */
        WRONG;

        static Check of(Shape planted, ContentFixed found) {
            if (planted == Shape.FLAT) {
                return CalibrationChecks.expected(planted).contains(found.verdict()) ? OK : WRONG;
            }
            Estimate ends = found.frontMinusBack();
            if (ends.pValue() >= (1 - Profiler.CONFIDENCE) / 2) {
                return MISSED;
            }
            return ends.value() > 0 == (planted == Shape.PRIMACY) ? OK : WRONG;
        }

        @Override
        public String toString() {
            return this == WRONG ? name() : name().toLowerCase(Locale.ROOT);
        }
    }

    /** What is printed as JSON. */
    public record Document(String schema, String method, boolean passed, List<String> failures, List<Row> rows) {}

    private record Model(Recipe recipe, Shape shape, double strength) {}

    /** Runs all models on a benchmark, in a folder that is deleted afterwards. */
    public List<Row> run(Dataset dataset, Session session) {
        Path folder = Temporary.folder("calibrate");
        try {
            PlacedEvidence evidence = new PlacedEvidence(new Documents(dataset, n, seed), choice, session);
            List<Row> rows = new ArrayList<>();
            for (Model model : models(dataset, folder)) {
                rows.add(row(dataset, evidence, model));
                session.say(model.recipe().name() + " on " + dataset.name() + ": "
                        + rows.getLast().verdict());
            }
            return rows;
        } finally {
            Staging.delete(folder);
        }
    }

    private List<Model> models(Dataset dataset, Path folder) {
        Set<String> words = new LinkedHashSet<>();
        List<String> texts = new ArrayList<>();
        dataset.passages().forEach((ordinal, passage) -> texts.add(passage.content()));
        texts.forEach(text -> words.addAll(WordTokenizer.words(text)));
        dataset.judgedQueries().forEach(query -> words.addAll(WordTokenizer.words(query.text())));
        List<Model> models = new ArrayList<>();
        BM25.forEach(name -> models.add(new Model(Recipe.find(name), Shape.FLAT, 0)));
        Path coherent = new CoherentEncoder("reference-coherent", PENALTY, DIMENSION, seed, MAX_TOKENS)
                .write(folder.resolve("coherent"), words, texts);
        models.add(new Model(Recipe.find(coherent.toString()), Shape.FLAT, 0));
        for (ReferenceSpec planted : PLANTED) {
            Path recipe = planted.encoder(DIMENSION, seed, MAX_TOKENS).write(folder.resolve(planted.model()), words);
            models.add(new Model(Recipe.find(recipe.toString()), planted.kind().shape(), planted.strength()));
        }
        return models;
    }

    private Row row(Dataset dataset, PlacedEvidence evidence, Model model) {
        RetrievedRun found = evaluation(dataset, Units.By.NONE).retrieve(model.recipe(), DEPTH, engine);
        Profile raw = profile(dataset, Units.By.NONE, model, found);
        Profile clustered = profile(dataset, Units.By.PASSAGE, model, found);
        ContentFixed fixed = new ContentFixedFit(
                        Measures.DEFAULT,
                        choice.method().toString(),
                        Units.By.PASSAGE,
                        draws,
                        seed,
                        Profiler.CONFIDENCE,
                        engine.threads())
                .of(
                        evidence.scores(model.recipe(), found, Measures.parse(Measures.DEFAULT), engine),
                        Placement.of(evidence.queries(), PositionDiagnosis.bucketing(dataset.card())));
        return new Row(
                dataset.name(),
                model.recipe().name(),
                model.shape().name().toLowerCase(Locale.ROOT),
                model.strength(),
                fixed.queries(),
                fixed.clusters(),
                Calibration.verdict(raw),
                raw.psi().pValue(),
                Calibration.verdict(clustered),
                clustered.psi().pValue(),
                fixed.frontMinusBack(),
                fixed.verdict(),
                Check.of(model.shape(), fixed));
    }

    private Evaluation evaluation(Dataset dataset, Units.By by) {
        Scoring scoring = new Scoring(
                List.of(Measures.parse(Measures.DEFAULT)),
                PositionDiagnosis.bucketing(dataset.card()),
                Profiler.THIN_BELOW,
                draws,
                seed,
                Profiler.CONFIDENCE,
                by,
                engine.threads());
        return new Evaluation(dataset, scoring, new Stopwatch());
    }

    private Profile profile(Dataset dataset, Units.By by, Model model, RetrievedRun found) {
        return Objects.requireNonNull(evaluation(dataset, by)
                .measure(ModelStore.model(model.recipe(), engine.home()), found, DEPTH)
                .result()
                .profile(Measures.DEFAULT, Strata.ALL));
    }

    /**
     * What is wrong: other verdicts than planted, and stronger biases with less of an effect, beyond noise. A strong bias makes
     * a model find so little that its effect on ranks no longer grows.
     */
    public static List<String> failures(List<Row> rows) {
        List<String> failures = new ArrayList<>();
        rows.stream()
                .filter(row -> row.check() == Check.WRONG)
                .forEach(row -> failures.add(row.model() + " on " + row.dataset()
                        + ": with the content held fixed the verdict is " + row.verdict()));
        Map<String, List<Row>> byDataset = new LinkedHashMap<>();
        rows.stream()
                .filter(row -> row.model().startsWith("reference-") && row.strength() > 0)
                .forEach(row -> byDataset
                        .computeIfAbsent(row.dataset(), dataset -> new ArrayList<>())
                        .add(row));
        byDataset.forEach((dataset, own) -> {
            own.sort(Comparator.comparingDouble(
                    row -> row.planted().equals("recency") ? -row.strength() : row.strength()));
            for (int i = 1; i < own.size(); i++) {
                double before = own.get(i - 1).frontMinusBack().value();
                if (own.get(i).frontMinusBack().interval().high() < before) {
                    failures.add(own.get(i).model() + " on " + dataset + ": front - back is smaller than that of "
                            + own.get(i - 1).model());
                }
            }
        });
        return failures;
    }

    private static final Sheet<Row> COLUMNS = new Sheet<Row>()
            .label("dataset", Row::dataset)
            .label("model", Row::model)
            .under("profile, by query")
            .number("p", Unit.P, Row::rawPValue)
            .plain("verdict", Row::rawVerdict)
            .under("profile, by passage")
            .number("p", Unit.P, Row::clusteredPValue)
            .plain("verdict", Row::clusteredVerdict)
            .under("content held fixed")
            .plain("queries", Row::queries)
            .plain("units", Row::units)
            .estimate("front - back", "front_back", "front_back_p", Unit.SIGNED_POINTS, Row::frontMinusBack)
            .plain("verdict", row -> PositionTables.verdict(row.verdict()))
            .under("")
            .plain("check", row -> Cell.word(row.check().toString()));

    /** A row for each model on each benchmark. */
    public Table table(List<Row> rows) {
        return COLUMNS.table(
                "Calibration on real texts, " + Measures.DEFAULT + ": raw profiles and the content held fixed",
                rows,
                List.of(
                        "bm25, flat, late-flat and coherent do not see positions: a profile that differs shows content; p of PSI over "
                                + "the dataset's own buckets",
                        "check: ok, no direction where none was planted, or front - back of the planted sign with p < 0.025; "
                                + "missed: a planted bias within noise",
                        "content held fixed: each query with its evidence at " + choice.places() + " places, by "
                                + choice.method() + "; " + Unit.percent(Profiler.CONFIDENCE)
                                + " intervals by passage"));
    }

    /** As a record of JSON. */
    public Document document(List<Row> rows, List<String> failures) {
        return new Document(
                "posbias/corpus-calibration/1", choice.method().toString(), failures.isEmpty(), failures, rows);
    }
}
