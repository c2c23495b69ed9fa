package io.posbias.run.check;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.named.Datasets;
import io.posbias.data.position.Bucketing;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.rank.trec.RunReader;
import io.posbias.report.profile.BlindRow;
import io.posbias.run.CellRunner;
import io.posbias.run.ContentFixing;
import io.posbias.run.RunScorer;
import io.posbias.run.placing.Documents;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.run.placing.Relocation;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.Answer;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.RunKey;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a model loses answers because of where they stand: evaluates it on a sample, moves the evidence, looks at BM25
 * beside it, and tries windows where the model loses answers. All cells are stored like those of {@code eval}, and finished ones
 * are read.
 */
public final class PositionCheck {
    /** Share of the questions whose passage is among the first ten. */
    private static final String FOUND = "R@10";

    /** Likewise where several passages hold the evidence. */
    private static final String FOUND_ANY = "Success@10";

    /** The built-in recipe beside the model. */
    private static final String BLIND = "bm25";

    private final Engine engine;
    private final Path results;
    private final boolean overwrite;
    private final SampleDraw draw;
    private final boolean isStabilityAsked;

    /**
     * @param results folder of all cells
     * @param overwrite true to compute finished cells again
     * @param isStabilityAsked true to draw subsamples of the questions also where that takes more than about a second
     */
    public PositionCheck(Engine engine, Path results, boolean overwrite, SampleDraw draw, boolean isStabilityAsked) {
        this.engine = engine;
        this.results = results;
        this.overwrite = overwrite;
        this.draw = draw;
        this.isStabilityAsked = isStabilityAsked;
    }

    /** The measure of the share of the questions whose passage, or one that holds their evidence, is among the first ten. */
    static String found(DatasetCard card) {
        return card.relevant().isPresent() ? FOUND_ANY : FOUND;
    }

    private static Settings settings(Sample sample) {
        return sample.settings(Settings.USUAL
                .withMeasures(List.of(
                        Measures.parse(Measures.DEFAULT),
                        Measures.parse(found(sample.benchmark().card()))))
                .withBuckets(
                        Bucketing.parse(sample.benchmark().card().bucketed().bucketing())));
    }

    private ResultFolder folder(LazyDataset benchmark, String model) {
        return new ResultFolder(ResultFolder.of(results, benchmark.card().name(), model));
    }

    /**
     * Checks a model.
     *
     * @param say takes the estimate before the work
     */
    public Finding of(Recipe recipe, Datasets.Source source, Consumer<String> say) {
        Sample sample = Sample.of(source, draw, engine.session());
        LazyDataset benchmark = sample.benchmark();
        Settings settings = settings(sample);
        ResultFolder folder = folder(benchmark, recipe.name());
        // Before the work: it may be missing.
        CellQueries blind = blind(recipe.kind(), benchmark, settings);
        // All of a sample is more than a first look needs.
        Enough until =
                !draw.isFull() && sample.isOneOfTwoLooks() ? new Enough(RelocatedTexts.Until.known(settings)) : null;
        ContentFixing fixing = known(recipe, sample, settings, until);
        if (fixing == null) {
            RelocatedTexts moved = moved(recipe, sample, settings);
            fixing = moved == null ? null : moved.fixing(sample.size().questions(), until);
            boolean isThere = new CellRunner(settings, engine, overwrite, fixing)
                    .cell(recipe, benchmark, folder)
                    .hasRun();
            if (!isThere) {
                work(recipe, sample, moved, until).ifPresent(say);
            }
        }
        Result result = new CellRunner(settings, engine, overwrite, fixing).result(recipe, benchmark, folder);
        BlindRow row = blind == null ? null : BlindRow.of(blind, own -> folder.path());
        Answer answer = answer(result, row);
        CellQueries plain = StoredCell.read(folder.path()).queries();
        if (until != null) {
            until.questions = plain.places().size();
        }
        Repair repair = repair(recipe, sample, answer, fixing, blind);
        Stability stability = Stability.of(plain, draw.questions(), isStabilityAsked, answer.verdicts());
        return new Finding(sample, result, answer, row, repair, stability, folder.path());
    }

    /** Enough questions: as many as a condition wants, and equally many for all later models. */
    private static final class Enough implements RelocatedTexts.Until {
        private final RelocatedTexts.Until first;

        /** 0 as long as there is no model yet. */
        private int questions;

        Enough(RelocatedTexts.Until first) {
            this.first = first;
        }

        @Override
        public boolean isReached(List<ScoresByPlace> rows, Dataset dataset) {
            return questions > 0 ? rows.size() >= questions : first.isReached(rows, dataset);
        }
    }

    private static Answer answer(Result result, @Nullable BlindRow blind) {
        Profile profile = result.profiles().getFirst();
        return blind == null ? Answer.of(result, profile) : blind.answer(result, profile);
    }

    /** Returns the placing of a finished cell, whose texts are made only if they are needed; null without a finished cell. */
    private @Nullable ContentFixing known(
            Recipe recipe, Sample sample, Settings settings, RelocatedTexts.@Nullable Until until) {
        LazyDataset benchmark = sample.benchmark();
        ResultFolder folder = folder(benchmark, recipe.name());
        StoredCell cell = overwrite ? null : folder.cell().orElse(null);
        RunKey.Placing placing =
                cell == null ? null : cell.result().provenance().placing();
        return Stream.of(Relocation.values())
                .filter(method -> placing != null && method.toString().equals(placing.method()))
                .map(method -> RelocatedTexts.fixing(
                        RelocatedTexts.Choice.of(method),
                        sample.size().questions(),
                        until,
                        (int) settings.seed(),
                        engine.session()))
                .filter(fixing -> new CellRunner(settings, engine, false, fixing)
                        .cell(recipe, benchmark, folder)
                        .isFinished())
                .findFirst()
                .orElse(null);
    }

    /**
     * Checks the run of another system, on the whole benchmark.
     *
     * @param isPartial true for a run that may lack more than a tenth of the judged queries
     */
    public Finding of(Path run, boolean isPartial, Datasets.Source source) {
        LazyDataset benchmark = source.lazy(engine.progress());
        Sample.Size size = Sample.Size.of(benchmark.open());
        Sample sample = new Sample(
                source.name(), source, benchmark, size, size, new SampleDraw(size.questions(), draw.seed(), true));
        Settings settings = settings(sample);
        RunScorer.SystemRun system = RunScorer.SystemRun.of(run, RunScorer.nameOf(run), "other", false);
        ResultFolder folder = folder(benchmark, system.model().name());
        Result result = new RunScorer(
                        settings.with("k", 0),
                        new RunReader.Options(false, source.split(), false, isPartial),
                        engine.threads(),
                        overwrite,
                        engine.session())
                .score(system, benchmark, folder);
        CellQueries blind = Objects.requireNonNull(blind(Result.RUN, benchmark, settings));
        BlindRow row = BlindRow.of(blind, own -> folder.path());
        return new Finding(sample, result, answer(result, row), row, null, null, folder.path());
    }

    /** The texts with moved evidence; null if there are none, which a note says. */
    private @Nullable RelocatedTexts moved(Recipe recipe, Sample sample, Settings settings) {
        Dataset dataset = sample.benchmark().open();
        if (!dataset.card().contentFixed().isEmpty()) {
            return null;
        }
        try {
            Documents documents =
                    Documents.of(dataset, sample.size().questions(), (int) settings.seed(), settings.cluster());
            return RelocatedTexts.usual(List.of(documents), List.of(recipe), engine)
                    .getFirst();
        } catch (PosbiasException none) {
            engine.say("note: the evidence was not moved, so position and content are not told apart: " + none.line());
            return null;
        }
    }

    /** Says how much is to be done, and how long it may take; empty where all is cached. */
    private Optional<String> work(
            Recipe recipe, Sample sample, @Nullable RelocatedTexts moved, RelocatedTexts.@Nullable Until until) {
        Dataset dataset = sample.benchmark().open();
        int texts = moved == null ? 0 : moved.count();
        String work = Plural.grouped(sample.size().questions(), "question") + " on "
                + Plural.grouped(sample.size().passages(), "passage")
                + (texts == 0
                        ? ""
                        : ", " + (until == null ? "" : "up to ") + Plural.grouped(texts, "text")
                                + " with moved evidence");
        if (recipe.callsService()) {
            CallEstimate calls = recipe.retriever().calls(dataset, null, engine);
            return Optional.of(work + ": " + Plural.grouped(calls.calls(), "call")
                    + " and more for moved evidence (--max-calls limits them)");
        }
        WindowTrial trial = WindowTrial.of(recipe, dataset, draw.isFull());
        CheckForecast forecast = CheckForecast.of(
                recipe,
                dataset,
                moved == null
                        ? null
                        : new CheckForecast.Moved(until == null ? moved.all() : moved.first(), moved.all()),
                trial,
                engine);
        return forecast == null ? Optional.empty() : Optional.of(work + forecast.words());
    }

    /** Tries windows where the model loses answers; with moved evidence if that shows the loss. */
    private @Nullable Repair repair(
            Recipe recipe, Sample sample, Answer answer, @Nullable ContentFixing fixing, @Nullable CellQueries blind) {
        boolean loses =
                answer.verdicts().contains(Verdict.UNREAD) || answer.verdicts().contains(Verdict.POSITION);
        LazyDataset benchmark = sample.benchmark();
        WindowTrial trial = loses ? WindowTrial.of(recipe, benchmark.open(), draw.isFull()) : null;
        if (trial == null) {
            return null;
        }
        Recipe windowed = trial.recipe();
        if (windowed == null) {
            engine.say(
                    "note: windows were not tried: of half the median passage, or of what the model reads, they would have"
                            + " fewer than " + WindowTrial.LEAST + " words");
            return null;
        }
        double windows = trial.count(benchmark.open(), engine);
        if (windows > trial.most()) {
            engine.say(String.format(
                    Locale.ROOT,
                    "note: windows were not tried, as there are %,.0f of them: --full tries them",
                    windows));
            return null;
        }
        CellQueries plain =
                StoredCell.read(folder(benchmark, recipe.name()).path()).queries();
        ContentFixed moved = plain.result().profiles().getFirst().contentFixed();
        // Encoding moved evidence in windows takes minutes: what answers that are not read gain is known without.
        boolean isMoved = moved != null && moved.causes().equals(List.of(Verdict.POSITION));
        new CellRunner(settings(sample), engine, overwrite, isMoved ? fixing : null)
                .result(windowed, benchmark, folder(benchmark, windowed.name()));
        return Repair.of(
                trial.strategy(),
                plain,
                StoredCell.read(folder(benchmark, windowed.name()).path()).queries(),
                blind,
                engine.threads());
    }

    /** BM25, which sees no positions; null beside itself, or if it fails, which a note says. */
    private @Nullable CellQueries blind(String kind, LazyDataset benchmark, Settings settings) {
        if (Result.isBlindKind(kind)) {
            return null;
        }
        Engine quiet = Engine.quiet(engine.threads(), engine.session());
        try {
            Recipe recipe = RecipeBook.find(BLIND);
            recipe.prepareWords(benchmark.card(), engine.session());
            return new CellRunner(settings, quiet, false, null).unwritten(recipe, benchmark, folder(benchmark, BLIND));
        } catch (PosbiasException failure) {
            engine.say("note: no " + BLIND + " beside the model: " + failure.line());
            return null;
        }
    }
}
