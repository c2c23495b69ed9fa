package io.posbias.study.calibrate;

import io.posbias.base.files.Staging;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.stats.Estimate;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetReader;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.rank.Run;
import io.posbias.run.placing.Documents;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.run.placing.Relocation;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.TestOutcome;
import io.posbias.study.calibrate.ReferenceSpec.ReferenceKind;
import io.posbias.study.diagnose.Reversal;
import io.posbias.study.diagnose.ReversedBenchmark;
import io.posbias.study.probe.ItemScorer;
import io.posbias.study.probe.ItemScorer.ScoredItem;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.ProbeItem;
import io.posbias.study.probe.ProbeResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs reference encoders, whose bias was built in, through what any model goes through: recipe, ONNX graph, search,
 * scores, profile; and through the probes. {@link CalibrationChecks} holds what was found against what was planted.
 */
final class FullCalibration implements AutoCloseable {
    private static final int MAX_TOKENS = 512;
    private static final int SEGMENTS = 5;

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
    record Size(int passages, int queries, int repeats, int repeatPassages, int repeatQueries, int draws) {}

    /**
     * What was found of a bias.
     *
     * @param planted what it was said to be
     * @param profile of all queries of the benchmark
     * @param fixed what positions do where the content stays the same
     * @param reversal points gained by queries whose evidence came to the front when passages were reversed minus those
     *     gained by queries whose evidence went to the back; null where the queries of one way all changed by the same
     * @param probes all comparisons of all probes
     */
    public record Finding(
            ReferenceSpec planted,
            Profile profile,
            ContentFixed fixed,
            @Nullable Estimate reversal,
            List<PairTest> probes) {}

    FullCalibration(Size size, long seed, Engine engine, Session session) {
        this.size = size;
        this.seed = seed;
        this.engine = engine;
        this.session = session;
        this.folder = Staging.temporary("calibrate", session.shutdown()).folder();
    }

    public record Ground(Path benchmark, Path sentences, List<ProbeItem> probes) {}

    public record Outcome(
            long seed, List<Finding> findings, List<PlantedStrategies.Row> strategies, List<FalseAlarms> alarms) {}

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

    List<PlantedStrategies.Row> strategies(Ground ground) {
        session.say("running strategies around reference encoders");
        try (Progress.Step step = session.progress().start("strategies", PlantedStrategies.models())) {
            return PlantedStrategies.run(
                    planted -> write(planted.encoder(seed, MAX_TOKENS).over(PlantedStrategies.SCALE))
                            .toString(),
                    model -> {
                        Profile profile = profile(RecipeBook.find(model), ground.sentences(), seed);
                        step.advance(1);
                        return profile;
                    });
        }
    }

    private List<FalseAlarms> alarms() {
        ReferenceSpec flat = new ReferenceSpec(ReferenceKind.FLAT, 0);
        ReferenceSpec neutral = new ReferenceSpec(ReferenceKind.NEUTRAL, 0);
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

    static List<PairTest> test(List<ScoredItem> scored) {
        return ProbeResult.of(scored, Settings.USUAL.confidence()).tests();
    }

    List<TestOutcome> repeats(ReferenceSpec built) {
        List<TestOutcome> verdicts = new ArrayList<>();
        repeat("other benchmarks", own -> {
            Path benchmark = PlantedBenchmark.write(folder.resolve("repeat"), own, size.repeatPassages(), false);
            verdicts.add(Objects.requireNonNull(Calibration.verdict(profile(recipe(built, own), benchmark, own))));
            Staging.delete(benchmark);
        });
        return verdicts;
    }

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

    private Recipe recipe(ReferenceSpec built, long vectors) {
        return RecipeBook.find(write(built.encoder(vectors, MAX_TOKENS)).toString());
    }

    private Path write(ReferenceEncoder encoder) {
        // A folder each: a graph that is open must not be written over.
        Path own = folder.resolve(encoder.name() + "-" + written++);
        return encoder.write(own, PlantedBenchmark.names(), PlantedBenchmark::concept);
    }

    private Calibration calibration(long draws) {
        return new Calibration(RelocatedTexts.Choice.of(Relocation.ROTATION), size.draws(), draws, engine);
    }

    private Profile profile(Recipe recipe, Path benchmark, long draws) {
        Dataset dataset = DatasetReader.open(benchmark);
        Calibration calibration = calibration(draws);
        return calibration.profile(recipe, dataset, calibration.retrieve(recipe, dataset));
    }

    private ContentFixed fixed(Recipe recipe, Path benchmark) {
        Dataset dataset = DatasetReader.open(benchmark);
        Calibration calibration = calibration(seed);
        RelocatedTexts evidence =
                new RelocatedTexts(new Documents(dataset, null, 0), calibration.choice(), session.quiet());
        return calibration.fixed(recipe, dataset, evidence, calibration.retrieve(recipe, dataset));
    }

    private @Nullable Estimate reversal(Recipe recipe, Path benchmark) {
        ReversedBenchmark both = ReversedBenchmark.of(DatasetReader.open(benchmark), SEGMENTS);
        List<Reversal.MovedQuery> pairs =
                both.pairs(scores(recipe, both.original()), scores(recipe, both.reversed()), Clustering.By.PASSAGE);
        return Reversal.of(pairs, Reversal.Groups.SEGMENTS, Settings.USUAL.confidence())
                .contrast();
    }

    private double[] scores(Recipe recipe, Dataset dataset) {
        Run run = calibration(seed).retrieve(recipe, dataset).run();
        return Scores.of(run, dataset, List.of(Measures.parse(Measures.DEFAULT)), engine.threads())
                .of(0);
    }

    @Override
    public void close() {
        Staging.delete(folder);
    }
}
