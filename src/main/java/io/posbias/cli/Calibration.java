package io.posbias.cli;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetReader;
import io.posbias.encode.Engine;
import io.posbias.encode.ReferenceEncoder;
import io.posbias.encode.ReferenceEncoder.Shape;
import io.posbias.measure.Measures;
import io.posbias.measure.Profile;
import io.posbias.measure.Profiler;
import io.posbias.measure.Verdict;
import io.posbias.position.Strata;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ProbeResult;
import io.posbias.retrieve.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Runs reference encoders, whose bias was built in, through what any model goes through: recipe, ONNX graph, search,
 * scores, profile; and through the moving probe. {@link CalibrationChecks} holds what was found against what was planted.
 */
final class Calibration implements AutoCloseable {
    /** Strengths of each kind of bias; the weakest leaves 61 % of the weight at the far end, the strongest 14 %. */
    static final List<Double> STRENGTHS = List.of(0.5, 1.0, 2.0);

    /** Where the answering sentence stands, from 1. */
    static final int PLACES = 5;

    private static final int DIMENSION = 192;
    private static final int MAX_TOKENS = 512;
    private static final int DEPTH = 10;
    private static final int SENTENCE = 10;
    private static final int ASKED = 3;

    private final Path folder;
    private final Size size;
    private final long seed;
    private final Engine engine;
    private final List<ProbeItem> moving;
    private int written;

    /**
     * How much is run.
     *
     * @param passages of the benchmark on which biases are planted; five queries each
     * @param queries of the moving probe
     * @param repeats how many other benchmarks the unbiased encoder is run on
     * @param repeatPassages passages of each of these
     * @param draws behind PSI's p-value and interval
     */
    record Size(int passages, int queries, int repeats, int repeatPassages, int draws) {
        /** What the command runs. */
        static final Size FULL = new Size(300, 100, 40, 60, 2_000);
    }

    /** A bias: its kind, and its strength as in {@link ReferenceEncoder}. */
    record Planted(Shape shape, double strength) {
        /** Every bias that is planted: none first, then each kind from weak to strong. */
        static List<Planted> all() {
            List<Planted> all = new ArrayList<>(List.of(new Planted(Shape.FLAT, 0)));
            for (Shape shape : List.of(Shape.PRIMACY, Shape.RECENCY, Shape.MIDDLE)) {
                STRENGTHS.forEach(strength -> all.add(new Planted(shape, strength)));
            }
            return all;
        }

        @Override
        public String toString() {
            return shape.name().toLowerCase(Locale.ROOT) + " " + strength;
        }
    }

    /**
     * What was found of a bias.
     *
     * @param planted what it was said to be
     * @param profile of all queries of the benchmark
     * @param moving places 2 to 5 of the moving probe, each against the first
     */
    record Finding(Planted planted, Profile profile, List<PairTest> moving) {
        Finding {
            moving = List.copyOf(moving);
        }

        /** The verdict in one word. */
        Verdict verdict() {
            return Calibration.verdict(profile);
        }

        /** A place of the moving probe against the first. */
        PairTest moved(int place) {
            return moving.get(place - 2);
        }
    }

    /**
     * Prepares a folder of its own, which {@link #close} deletes.
     *
     * @param seed of words, questions, vectors and draws
     */
    Calibration(Size size, long seed, Engine engine) {
        this.size = size;
        this.seed = seed;
        this.engine = engine;
        this.moving = moving(size.queries(), new Random(seed));
        try {
            this.folder = Files.createTempDirectory("posbias-calibrate-");
        } catch (IOException refused) {
            throw new PosbiasException(
                    Problems.describe("write", Path.of(System.getProperty("java.io.tmpdir")), refused), refused);
        }
    }

    /** Writes the benchmark on which biases are planted. */
    Path benchmark() {
        return PlantedBenchmark.write(folder.resolve("benchmark"), seed, size.passages());
    }

    /**
     * Runs an encoder.
     *
     * @param declared what its bias is said to be; the checks believe this
     * @param built what is built into it; the same unless somebody tests the checks
     */
    Finding find(Planted declared, Planted built, Path benchmark) {
        Recipe recipe = recipe(built, seed);
        ProbeResult probed = ProbeResult.of(new ItemScorer(moving).score(recipe, engine), Profiler.CONFIDENCE);
        return new Finding(declared, profile(recipe, benchmark, seed), probed.tests());
    }

    /** The verdicts on an encoder, best the unbiased one, on as many small benchmarks as the size says. */
    List<Verdict> repeats(Planted built) {
        List<Verdict> verdicts = new ArrayList<>();
        // Not seed + 1, seed + 2, ..: the next seed would see nearly the same benchmarks.
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int repeat = 0; repeat < size.repeats(); repeat++) {
            long own = seeds.nextLong();
            Path benchmark = PlantedBenchmark.write(folder.resolve("repeat"), own, size.repeatPassages());
            verdicts.add(verdict(profile(recipe(built, own), benchmark, own)));
            Staging.delete(benchmark);
        }
        return verdicts;
    }

    private static Verdict verdict(Profile profile) {
        return Objects.requireNonNull(
                Objects.requireNonNull(profile.direction()).verdict());
    }

    private Recipe recipe(Planted built, long vectors) {
        String name = built.toString().replace(' ', '-');
        // A folder each: a graph that is open must not be written over.
        Path file = new ReferenceEncoder(name, built.shape(), built.strength(), DIMENSION, vectors, MAX_TOKENS)
                .write(folder.resolve(name + "-" + written++), PlantedBenchmark.WORDS);
        return Recipe.find(file.toString());
    }

    /** As {@code eval} does it, but nothing is written. */
    private Profile profile(Recipe recipe, Path benchmark, long draws) {
        Dataset dataset = DatasetReader.open(benchmark);
        Scoring scoring = new Scoring(
                List.of(Measures.parse(Measures.DEFAULT)),
                null,
                Profiler.THIN_BELOW,
                size.draws(),
                draws,
                Profiler.CONFIDENCE,
                engine.threads());
        Evaluation evaluation = new Evaluation(dataset, scoring, new Stopwatch());
        Evaluation.Found found = evaluation.retrieve(recipe, DEPTH, engine);
        return Objects.requireNonNull(evaluation
                .measure(Evaluation.Model.of(recipe), found, DEPTH)
                .result()
                .profile(Measures.DEFAULT, Strata.ALL));
    }

    /** Texts of five sentences of random words, one of which holds the three words asked for, at each place once. */
    private static List<ProbeItem> moving(int queries, Random random) {
        List<ProbeItem> items = new ArrayList<>();
        for (int query = 0; query < queries; query++) {
            List<String> answer = PlantedBenchmark.words(SENTENCE, random);
            List<String> others = new ArrayList<>();
            for (int other = 1; other < PLACES; other++) {
                others.add(sentence(PlantedBenchmark.words(SENTENCE, random)));
            }
            int first = random.nextInt(SENTENCE - ASKED + 1);
            String question = String.join(" ", answer.subList(first, first + ASKED));
            for (int place = 1; place <= PLACES; place++) {
                List<String> text = new ArrayList<>(others);
                text.add(place - 1, sentence(answer));
                items.add(new ProbeItem(
                        "moving",
                        "m" + query,
                        question,
                        String.join(" ", text),
                        null,
                        Map.of("position", String.valueOf(place))));
            }
        }
        return items;
    }

    private static String sentence(List<String> words) {
        return String.join(" ", words) + ".";
    }

    @Override
    public void close() {
        Staging.delete(folder);
    }
}
