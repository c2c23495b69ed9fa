package io.posbias.study.calibrate;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.base.files.Staging;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.process.Stopwatch;
import io.posbias.base.stats.Estimate;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.data.position.Strata;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.store.ModelStore;
import io.posbias.rank.RetrievedRun;
import io.posbias.run.Evaluation;
import io.posbias.run.placing.Documents;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.Direction;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.study.calibrate.ReferenceEncoder.Shape;
import io.posbias.study.calibrate.ReferenceSpec.ReferenceKind;
import io.posbias.study.diagnose.PositionDiagnosis;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Measures the reference encoders, whose bias is known, like any other model: profile and position with the content held fixed.
 * Each query's passage is its cluster.
 */
public record Calibration(RelocatedTexts.Choice choice, int draws, long seed, Engine engine) {
    private static final int DEPTH = 11;
    private static final int PASSAGES = 300;

    /** Enough for the synthetic benchmark's 1,500 words. */
    private static final int SYNTHETIC_TOKENS = 512;

    private static final int REAL_TOKENS = 1 << 17;
    private static final int REAL_DIMENSION = 768;

    private static final double LEVEL = (1 - Settings.USUAL.confidence()) / 2;

    /**
     * Measured and planted bias of an encoder.
     *
     * @param strength null for kinds without strengths
     */
    public record CalibratedEncoder(
            String dataset,
            String model,
            String planted,
            @Nullable Double strength,
            Raw profile,
            Fixed contentFixed,
            CalibrationCheck check) {}

    /** The profile, where questions differ from position to position. */
    public record Raw(
            String measure,
            int queries,
            @Nullable Double psi,
            @Nullable Double noise95,
            @JsonProperty("psi_p_value") @Nullable Double pValue,
            @Nullable TestOutcome verdict) {}

    /** Position with the content held fixed. */
    public record Fixed(
            int queries,
            @JsonProperty("units") int clusters,
            Estimate frontMinusBack,
            Estimate middleMinusEnds,
            TestOutcome verdict) {}

    /** Agreement of measured and planted bias. */
    public enum CalibrationCheck {
        /** No direction for an unbiased encoder, or the planted one beyond noise. */
        OK,
        /** A planted bias within noise: too few queries, or evidence that does not decide ranks. */
        MISSED,
        /** A direction for an unbiased encoder, or the opposite one beyond noise. */
        WRONG;

        /** On a real benchmark, where the raw profile also shows content. */
        static CalibrationCheck real(Shape planted, ContentFixed found) {
            Estimate ends = found.frontMinusBack();
            return switch (planted) {
                case FLAT, MIDDLE -> isExpected(planted, found) ? OK : WRONG;
                case PRIMACY, RECENCY ->
                    ends.pValue() >= LEVEL ? MISSED : ends.value() > 0 == (planted == Shape.PRIMACY) ? OK : WRONG;
            };
        }

        /**
         * On the synthetic benchmark, whose evidence is spread evenly: profile and content held fixed must agree. The profile
         * of windows differs, since the middle is in more of them.
         */
        static CalibrationCheck synthetic(ReferenceKind planted, @Nullable TestOutcome profile, ContentFixed found) {
            boolean differs = profile == TestOutcome.DIFFER;
            boolean agrees = planted == ReferenceKind.MAX_P || differs == (planted.shape() != Shape.FLAT);
            return agrees && isExpected(planted.shape(), found) ? OK : WRONG;
        }

        /** The middle against the ends names no direction, but must be seen. */
        static boolean isExpected(Shape planted, ContentFixed found) {
            boolean none = found.outcome() == TestOutcome.EVEN || found.outcome() == TestOutcome.OPEN;
            return switch (planted) {
                case FLAT -> none;
                case PRIMACY -> found.outcome() == TestOutcome.PRIMACY;
                case RECENCY -> found.outcome() == TestOutcome.RECENCY;
                case MIDDLE ->
                    none
                            && found.middleMinusEnds().value() > 0
                            && found.middleMinusEnds().pValue() < LEVEL;
            };
        }

        @Override
        public String toString() {
            return this == WRONG ? name() : name().toLowerCase(Locale.ROOT);
        }
    }

    public record CalibrationFile(
            String schema,
            long seed,
            double confidence,
            String method,
            boolean passed,
            List<String> failures,
            List<CalibratedEncoder> references) {}

    /** Measures all encoders on a synthetic benchmark; relocates the evidence of a second one of half the size. */
    public List<CalibratedEncoder> run(Session session) {
        return inTemporaryFolder(session, folder -> {
            Dataset whole = DatasetReader.open(PlantedBenchmark.write(folder.resolve("all"), seed, PASSAGES, true));
            Dataset half = DatasetReader.open(PlantedBenchmark.write(folder.resolve("half"), seed, PASSAGES / 2, true));
            RelocatedTexts evidence = new RelocatedTexts(new Documents(half, null, 0), choice, session.quiet());
            return rows(ReferenceSpec.all(), session, planted -> {
                Recipe recipe = RecipeBook.find(planted.encoder(seed, SYNTHETIC_TOKENS)
                        .write(folder.resolve(planted.model()), PlantedBenchmark.names(), PlantedBenchmark::concept)
                        .toString());
                Profile profile = profile(recipe, whole, retrieve(recipe, whole));
                ContentFixed fixed = fixed(recipe, half, evidence, retrieve(recipe, half));
                CalibrationCheck check = CalibrationCheck.synthetic(planted.kind(), verdict(profile), fixed);
                return row(whole, planted, profile, fixed, check);
            });
        });
    }

    /** Measures encoders with flat weights, primacy and recency on a benchmark. */
    public List<CalibratedEncoder> run(Dataset dataset, int n, Session session) {
        return inTemporaryFolder(session, folder -> {
            Set<String> words = new LinkedHashSet<>();
            dataset.passages().inFileOrder((ordinal, passage) -> words.addAll(WordTokenizer.words(passage.content())));
            dataset.judgedQueries().forEach(query -> words.addAll(WordTokenizer.words(query.text())));
            RelocatedTexts evidence = new RelocatedTexts(new Documents(dataset, n, (int) seed), choice, session);
            return rows(ReferenceSpec.forRealTexts(), session, planted -> {
                Path file = planted.encoder(REAL_DIMENSION, seed, REAL_TOKENS)
                        .write(folder.resolve(planted.model()), words);
                Recipe recipe = RecipeBook.find(file.toString());
                RetrievedRun found = retrieve(recipe, dataset);
                ContentFixed fixed = fixed(recipe, dataset, evidence, found);
                CalibrationCheck check = CalibrationCheck.real(planted.kind().shape(), fixed);
                return row(dataset, planted, profile(recipe, dataset, found), fixed, check);
            });
        });
    }

    private static List<CalibratedEncoder> inTemporaryFolder(
            Session session, Function<Path, List<CalibratedEncoder>> run) {
        try (Staging staging = Staging.temporary("calibrate", session.shutdown())) {
            return run.apply(staging.folder());
        }
    }

    private static List<CalibratedEncoder> rows(
            List<ReferenceSpec> all, Session session, Function<ReferenceSpec, CalibratedEncoder> run) {
        try (Progress.Step step = session.progress().start("reference encoders", all.size())) {
            return all.stream()
                    .map(planted -> {
                        CalibratedEncoder row = run.apply(planted);
                        step.advance(1);
                        return row;
                    })
                    .toList();
        }
    }

    private static CalibratedEncoder row(
            Dataset dataset, ReferenceSpec planted, Profile profile, ContentFixed fixed, CalibrationCheck check) {
        return new CalibratedEncoder(
                dataset.name(),
                planted.model(),
                planted.kind().toString(),
                planted.kind().isGraded() ? planted.strength() : null,
                new Raw(
                        profile.measure(),
                        profile.queries(),
                        profile.psi().value(),
                        profile.psi().noise95(),
                        profile.psi().pValue(),
                        verdict(profile)),
                new Fixed(
                        fixed.queries(),
                        fixed.clusters(),
                        fixed.frontMinusBack(),
                        fixed.middleMinusEnds(),
                        fixed.outcome()),
                check);
    }

    static @Nullable TestOutcome verdict(Profile profile) {
        Direction direction = profile.direction();
        return direction == null ? null : direction.outcome();
    }

    RetrievedRun retrieve(Recipe recipe, Dataset dataset) {
        return evaluation(dataset).retrieve(recipe, engine);
    }

    Profile profile(Recipe recipe, Dataset dataset, RetrievedRun found) {
        return Objects.requireNonNull(evaluation(dataset)
                .measure(ModelStore.model(recipe, engine.home()), found)
                .result()
                .profile(Measures.DEFAULT, Strata.ALL));
    }

    ContentFixed fixed(Recipe recipe, Dataset dataset, RelocatedTexts evidence, RetrievedRun found) {
        return new ContentFixedFit(settings(), choice.method().toString(), engine.threads())
                .of(
                        evidence.scores(recipe, found, Measures.parse(Measures.DEFAULT), engine),
                        QueryBuckets.of(evidence.queries(), PositionDiagnosis.bucketing(dataset.card())));
    }

    private Evaluation evaluation(Dataset dataset) {
        return new Evaluation(
                dataset,
                settings().withBuckets(PositionDiagnosis.bucketing(dataset.card())),
                engine.threads(),
                new Stopwatch());
    }

    private Settings settings() {
        return Settings.USUAL.with("k", DEPTH).withDraws(draws).withSeed(seed);
    }

    /** A line for each wrong check, and for each stronger bias with less of an effect beyond noise. */
    public static List<String> failures(List<CalibratedEncoder> rows) {
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            CalibratedEncoder row = rows.get(i);
            if (row.check() == CalibrationCheck.WRONG) {
                failures.add(row.model() + " on " + row.dataset() + ": the profile's outcome is "
                        + row.profile().verdict() + ", with the content held fixed "
                        + row.contentFixed().verdict());
            }
            if (i > 0 && isWeaker(row, rows.get(i - 1))) {
                failures.add(row.model() + " on " + row.dataset() + ": front - back is smaller than that of "
                        + rows.get(i - 1).model());
            }
        }
        return failures;
    }

    /** Returns true if the effect is smaller, beyond noise, than that of the weaker bias before. */
    private static boolean isWeaker(CalibratedEncoder row, CalibratedEncoder before) {
        if (!row.planted().equals(before.planted()) || !row.dataset().equals(before.dataset())) {
            return false;
        }
        Estimate ends = row.contentFixed().frontMinusBack();
        double least = before.contentFixed().frontMinusBack().value();
        return row.planted().endsWith("primacy")
                ? ends.interval().high() < least
                : row.planted().endsWith("recency") && ends.interval().low() > least;
    }

    public Table table(List<CalibratedEncoder> rows, Detail detail) {
        List<String> rules = List.of(
                "content held fixed: each query with its evidence at " + choice.places() + " places, by "
                        + choice.method() + "; " + NumberFormat.percent(Settings.USUAL.confidence())
                        + " intervals, clusters: passages",
                "check: WRONG, a direction that was not planted; missed, a planted direction within noise; on real texts "
                        + "the profile also shows content");
        return new Columns<CalibratedEncoder>(detail.digits())
                .label("dataset", CalibratedEncoder::dataset)
                .label("model", CalibratedEncoder::model)
                .under("profile")
                .number("PSI", NumberFormat.FRACTION, row -> row.profile().psi())
                .number("noise95", NumberFormat.FRACTION, row -> row.profile().noise95())
                .number("p", NumberFormat.P, row -> row.profile().pValue())
                .text("outcome", row -> row.profile().verdict())
                .under("content held fixed")
                .text("queries", row -> row.contentFixed().queries())
                .text("clusters", row -> row.contentFixed().clusters())
                .estimate(
                        "front - back",
                        NumberFormat.SIGNED_POINTS,
                        row -> row.contentFixed().frontMinusBack())
                .number(
                        "middle - ends",
                        NumberFormat.SIGNED_POINTS,
                        row -> row.contentFixed().middleMinusEnds().value())
                .text("outcome", row -> row.contentFixed().verdict().toString())
                .under("")
                .text("check", CalibratedEncoder::check)
                .table(
                        "Calibration, " + Measures.DEFAULT + " in points: planted and measured bias",
                        rows,
                        detail.explain() ? rules : List.of());
    }

    public CalibrationFile document(List<CalibratedEncoder> rows) {
        List<String> failures = failures(rows);
        return new CalibrationFile(
                "posbias/calibration/2",
                seed,
                Settings.USUAL.confidence(),
                choice.method().toString(),
                failures.isEmpty(),
                failures,
                rows);
    }
}
