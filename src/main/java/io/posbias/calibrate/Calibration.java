package io.posbias.calibrate;

import io.posbias.Progress;
import io.posbias.Session;
import io.posbias.Staging;
import io.posbias.Temporary;
import io.posbias.calibrate.ReferenceSpec.Kind;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetReader;
import io.posbias.diagnose.Documents;
import io.posbias.diagnose.PlacedEvidence;
import io.posbias.diagnose.Placing;
import io.posbias.diagnose.PositionDiagnosis;
import io.posbias.diagnose.Reversal;
import io.posbias.diagnose.ReversedBenchmark;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Evaluation;
import io.posbias.evaluate.ModelStore;
import io.posbias.evaluate.Scoring;
import io.posbias.evaluate.Stopwatch;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.ContentFixedFit;
import io.posbias.measure.Measures;
import io.posbias.measure.Profile;
import io.posbias.measure.Profiler;
import io.posbias.measure.Scores;
import io.posbias.measure.Units;
import io.posbias.measure.Verdict;
import io.posbias.position.Bucketing;
import io.posbias.position.Strata;
import io.posbias.probe.ItemScorer;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ProbeResult;
import io.posbias.probe.ScoredItem;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrievedRun;
import io.posbias.retrieve.Run;
import io.posbias.stats.Estimate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * Runs reference encoders, whose bias was built in, through what any model goes through: recipe, ONNX graph, search,
 * scores, profile; and through the probes. {@link CalibrationChecks} holds what was found against what was planted.
 */
public final class Calibration implements AutoCloseable {
    private static final int DEPTH = 10;
    private static final int MAX_TOKENS = 512;
    private static final int SEGMENTS = 5;
    private static final PlacedEvidence.Choice PLACES =
            new PlacedEvidence.Choice(Placing.USUAL, PlacedEvidence.PLACES, Placing.WINDOW);

    private final Path folder;
    private final Size size;
    private final long seed;
    private final Engine engine;
    private final Session session;
    private int written;

    /**
     * How much is run.
     *
     * @param passages of the benchmark on which biases are planted; five queries each
     * @param queries of each probe
     * @param repeats how many other benchmarks, and other sets of probes, unbiased encoders are run on
     * @param repeatPassages passages of each of these
     * @param repeatQueries queries of each of these sets
     * @param draws behind PSI's p-value and interval
     */
    public record Size(int passages, int queries, int repeats, int repeatPassages, int repeatQueries, int draws) {
        /** What the command runs. */
        public static final Size FULL = new Size(300, 100, 40, 60, 30, 2_000);
    }

    /**
     * What was found of a bias.
     *
     * @param planted what it was said to be
     * @param profile of all queries of the benchmark
     * @param fixed what positions do where the content stays the same
     * @param reversal points gained by queries whose evidence came to the front when passages were reversed minus those
     *     gained by queries whose evidence went to the back
     * @param probes all comparisons of all probes
     */
    public record Finding(
            ReferenceSpec planted, Profile profile, ContentFixed fixed, Estimate reversal, List<PairTest> probes) {}

    /**
     * Prepares a folder of its own, which {@link #close} deletes.
     *
     * @param seed of words, questions, vectors and draws
     * @param engine what the encoders run on
     * @param session told what is done
     */
    public Calibration(Size size, long seed, Engine engine, Session session) {
        this.size = size;
        this.seed = seed;
        this.engine = engine;
        this.session = session;
        this.folder = Temporary.folder("calibrate");
    }

    /**
     * What every encoder is run on.
     *
     * @param benchmark for the profile
     * @param sentences another, whose passages can be reversed
     * @param probes items of all probes
     */
    public record Ground(Path benchmark, Path sentences, List<ProbeItem> probes) {}

    /**
     * All that was found.
     *
     * @param seed of all that was made up
     * @param strategies what strategies do to biases
     * @param alarms how often unbiased encoders look biased
     */
    public record Outcome(
            long seed, List<Finding> findings, List<PlantedStrategies.Row> strategies, List<FalseAlarms> alarms) {}

    /** Runs everything. */
    public Outcome run() {
        Ground ground = ground();
        List<ReferenceSpec> all = ReferenceSpec.all();
        List<Finding> findings = new ArrayList<>();
        session.say("running " + all.size() + " reference encoders: " + size.passages() + " passages, "
                + ground.probes().size()
                + " items of probes");
        try (Progress.Step step = session.progress().start("reference encoders", all.size())) {
            for (ReferenceSpec planted : all) {
                findings.add(find(planted, planted, ground));
                step.advance(1);
            }
        }
        List<PlantedStrategies.Row> strategies = strategies(ground);
        session.say("looking for false alarms: " + size.repeats() + " other benchmarks and sets of probes");
        return new Outcome(seed, findings, strategies, alarms());
    }

    /** Strategies on the benchmark whose passages have sentences, which can be mirrored. */
    List<PlantedStrategies.Row> strategies(Ground ground) {
        session.say("running strategies around reference encoders");
        try (Progress.Step step = session.progress().start("strategies", PlantedStrategies.models())) {
            return PlantedStrategies.run(
                    planted -> write(planted.encoder(seed, MAX_TOKENS).over(PlantedStrategies.SCALE))
                            .toString(),
                    model -> {
                        Profile profile = profile(Recipe.find(model), ground.sentences(), seed);
                        step.advance(1);
                        return profile;
                    });
        }
    }

    private List<FalseAlarms> alarms() {
        ReferenceSpec flat = new ReferenceSpec(Kind.FLAT, 0);
        ReferenceSpec neutral = new ReferenceSpec(Kind.NEUTRAL, 0);
        List<List<PairTest>> sets = probeRepeats(neutral, Set.of("brevity", "literal"));
        return List.of(
                FalseAlarms.ofVerdicts(flat, repeats(flat)),
                FalseAlarms.ofProbes(neutral, sets, "brevity", "text1 - text2"),
                FalseAlarms.ofProbes(neutral, sets, "literal", "LL - SS"));
    }

    /** Writes what biases are planted on; half as many passages for the reversal, which needs two searches. */
    public Ground ground() {
        return new Ground(
                PlantedBenchmark.write(folder.resolve("benchmark"), seed, size.passages(), false),
                PlantedBenchmark.write(folder.resolve("sentences"), seed, size.passages() / 2, true),
                PlantedProbes.items(size.queries(), seed));
    }

    /**
     * Runs an encoder.
     *
     * @param declared what its bias is said to be; the checks believe this
     * @param built what is built into it; the same unless somebody tests the checks
     */
    public Finding find(ReferenceSpec declared, ReferenceSpec built, Ground ground) {
        Recipe recipe = recipe(built, seed);
        return new Finding(
                declared,
                profile(recipe, ground.benchmark(), seed),
                fixed(recipe, ground.sentences()),
                reversal(recipe, ground.sentences()),
                test(score(recipe, ground.probes())));
    }

    List<ScoredItem> score(ReferenceSpec built, List<ProbeItem> probes) {
        return score(recipe(built, seed), probes);
    }

    private List<ScoredItem> score(Recipe recipe, List<ProbeItem> probes) {
        return new ItemScorer(probes).score(recipe, engine);
    }

    /** As {@code probe run} tests them. */
    static List<PairTest> test(List<ScoredItem> scored) {
        return ProbeResult.of(scored, Profiler.CONFIDENCE).tests();
    }

    /** The verdicts on an encoder, best the unbiased one, on as many small benchmarks as the size says. */
    List<Verdict> repeats(ReferenceSpec built) {
        List<Verdict> verdicts = new ArrayList<>();
        repeat("other benchmarks", own -> {
            Path benchmark = PlantedBenchmark.write(folder.resolve("repeat"), own, size.repeatPassages(), false);
            verdicts.add(verdict(profile(recipe(built, own), benchmark, own)));
            Staging.delete(benchmark);
        });
        return verdicts;
    }

    /** What an encoder does on as many other sets of some probes. */
    List<List<PairTest>> probeRepeats(ReferenceSpec built, Set<String> probes) {
        List<List<PairTest>> tests = new ArrayList<>();
        repeat("other probes", own -> {
            List<ProbeItem> items = PlantedProbes.items(size.repeatQueries(), own).stream()
                    .filter(item -> probes.contains(item.probe().name()))
                    .toList();
            tests.add(test(score(recipe(built, own), items)));
        });
        return tests;
    }

    /** Not seed + 1, seed + 2, ..: the next seed would see nearly the same benchmarks. */
    private void repeat(String label, LongConsumer run) {
        SplittableRandom seeds = new SplittableRandom(seed);
        try (Progress.Step step = session.progress().start(label, size.repeats())) {
            for (int repeat = 0; repeat < size.repeats(); repeat++) {
                run.accept(seeds.nextLong());
                step.advance(1);
            }
        }
    }

    static Verdict verdict(Profile profile) {
        return Objects.requireNonNull(
                Objects.requireNonNull(profile.direction()).verdict());
    }

    private Recipe recipe(ReferenceSpec built, long vectors) {
        return Recipe.find(write(built.encoder(vectors, MAX_TOKENS)).toString());
    }

    private Path write(ReferenceEncoder encoder) {
        // A folder each: a graph that is open must not be written over.
        Path own = folder.resolve(encoder.name() + "-" + written++);
        return encoder.write(own, PlantedProbes.vocabulary(), PlantedProbes::concept);
    }

    /** As {@code eval} does it, but nothing is written. */
    private Profile profile(Recipe recipe, Path benchmark, long draws) {
        Evaluation evaluation = new Evaluation(DatasetReader.open(benchmark), scoring(draws), new Stopwatch());
        RetrievedRun found = evaluation.retrieve(recipe, DEPTH, engine);
        return Objects.requireNonNull(evaluation
                .measure(ModelStore.model(recipe, engine.home()), found, DEPTH)
                .result()
                .profile(Measures.DEFAULT, Strata.ALL));
    }

    /** As {@code diagnose position} does it. */
    private ContentFixed fixed(Recipe recipe, Path benchmark) {
        Dataset dataset = DatasetReader.open(benchmark);
        PlacedEvidence evidence = new PlacedEvidence(new Documents(dataset, null, 0), PLACES, session.quiet());
        ContentFixedFit fit = new ContentFixedFit(
                Measures.DEFAULT,
                PLACES.method().toString(),
                Units.By.PASSAGE,
                size.draws(),
                seed,
                Profiler.CONFIDENCE,
                engine.threads());
        PositionDiagnosis diagnosis = new PositionDiagnosis(
                dataset.name(),
                List.of(evidence),
                Measures.parse(Measures.DEFAULT),
                Bucketing.parse(dataset.card().bucketing()),
                fit);
        return diagnosis.find(diagnosis.score(recipe, engine), Map.of());
    }

    /** As {@code diagnose reversal} does it. */
    private Estimate reversal(Recipe recipe, Path benchmark) {
        ReversedBenchmark both = ReversedBenchmark.of(DatasetReader.open(benchmark), SEGMENTS);
        List<Reversal.MovedQuery> pairs =
                both.pairs(scores(recipe, both.original()), scores(recipe, both.reversed()), Units.By.PASSAGE);
        return Objects.requireNonNull(Reversal.of(pairs, Profiler.CONFIDENCE).contrast());
    }

    private double[] scores(Recipe recipe, Dataset dataset) {
        Scoring scoring = scoring(seed);
        Run run = new Evaluation(dataset, scoring, new Stopwatch())
                .retrieve(recipe, DEPTH, engine)
                .run();
        return Scores.of(run, dataset, scoring.measures(), engine.threads()).of(0);
    }

    private Scoring scoring(long draws) {
        return new Scoring(
                List.of(Measures.parse(Measures.DEFAULT)),
                null,
                Profiler.THIN_BELOW,
                size.draws(),
                draws,
                Profiler.CONFIDENCE,
                Units.By.PASSAGE,
                engine.threads());
    }

    @Override
    public void close() {
        Staging.delete(folder);
    }
}
