package io.posbias.api;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Stopwatch;
import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Estimate;
import io.posbias.base.stats.RandomEffects;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.dataset.ParquetFile;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Query;
import io.posbias.data.named.Datasets;
import io.posbias.model.encode.CallLimit;
import io.posbias.model.encode.Device;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelFinder;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.run.CellRunner;
import io.posbias.run.ContentFixing;
import io.posbias.run.Evaluation;
import io.posbias.run.placing.RelocatedTexts;
import io.posbias.run.placing.Relocation;
import io.posbias.score.measure.Depth;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Settings;
import io.posbias.score.over.BenchmarkLosses;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates models and searches by position of the evidence, with the numbers of {@code posbias eval}. A benchmark is a
 * name, for example the built-in {@code demo}, or a folder in BEIR's layout.
 */
public final class Posbias {
    private Posbias() {}

    /**
     * Evaluates a model with default options.
     *
     * @param model a recipe's name or file, for example {@code bm25}
     * @throws PosbiasException with one line on why the evaluation failed
     */
    public static PositionReport evaluate(String model, String benchmark) {
        return evaluate(model, benchmark, EvaluationOptions.defaults());
    }

    /** Evaluates a model. */
    public static PositionReport evaluate(String model, String benchmark, EvaluationOptions options) {
        Session session = session(options);
        Settings settings = options.checked();
        ContentFixing fixing = fixing(options, settings, session);
        Engine engine = new Engine(Device.CPU, options.threads(), 0, true, CallLimit.none(), session);
        Recipe recipe = new ModelFinder(session).find(model);
        return new PositionReport(
                new CellRunner(settings, engine, false, fixing).computed(recipe, dataset(benchmark, session)));
    }

    /**
     * Evaluates a search engine with default options.
     *
     * @param name the engine's name in results
     * @param search answers each judged query over the indexed {@link #passages}
     * @throws PosbiasException if it returns an unknown passage, a duplicate or a score that is not finite
     */
    public static PositionReport evaluate(String name, Search search, String benchmark) {
        return evaluate(name, search, benchmark, EvaluationOptions.defaults());
    }

    /** Evaluates a search engine. */
    public static PositionReport evaluate(String name, Search search, String benchmark, EvaluationOptions options) {
        if (!FileNames.isModel(name)) {
            throw new UsageException(Printable.quoted(name) + " cannot name a folder of results");
        }
        if (options.contentFixed() != 0) {
            throw new UsageException("a search cannot be asked with the content held fixed: its passages would have to"
                    + " be changed; evaluate a recipe, or a benchmark of windows ('posbias data build windows')");
        }
        Session session = session(options);
        Settings settings = options.checked();
        LazyDataset lazy = dataset(benchmark, session);
        Dataset dataset = lazy.open();
        Stopwatch stopwatch = lazy.stopwatch();
        Run run = stopwatch.time("search", () -> run(search, dataset, settings.k()));
        return new PositionReport(new Evaluation(dataset, settings, options.threads(), stopwatch)
                .measure(searched(name), new RetrievedRun(run)));
    }

    /**
     * Estimates the loss at the back over benchmarks, as {@code posbias report over benchmarks} does.
     *
     * @param measure for example {@code nDCG@10}
     * @param results files called result.json, or folders with some
     * @return one for each model that has an estimate
     * @throws PosbiasException if no model has losses on two benchmarks
     */
    public static List<LossOverBenchmarks> lossOverBenchmarks(String measure, List<Path> results) {
        return BenchmarkLosses.of(
                        ResultFiles.read(results, List.of()),
                        Measures.parse(measure).toString(),
                        RandomEffects.Weights.EQUAL)
                .models()
                .stream()
                .flatMap(model -> of(model.over()).stream())
                .toList();
    }

    private static Optional<LossOverBenchmarks> of(BenchmarkLosses.Line line) {
        Estimate loss = line.loss();
        BenchmarkLosses.Over over = line.over();
        return loss == null || over == null
                ? Optional.empty()
                : Optional.of(new LossOverBenchmarks(
                        line.model(),
                        over.benchmarks(),
                        loss.value(),
                        loss.interval().low(),
                        loss.interval().high(),
                        over.tau(),
                        over.share()));
    }

    /**
     * Streams the passages of a benchmark for indexing.
     *
     * @param passage receives an identifier and the text, after the title and a space if there is one
     */
    public static void passages(String benchmark, BiConsumer<String, String> passage) {
        passages(benchmark, passage, EvaluationOptions.defaults());
    }

    /** Streams the passages of a benchmark; only the home of the options is used. */
    public static void passages(String benchmark, BiConsumer<String, String> passage, EvaluationOptions options) {
        dataset(benchmark, session(options))
                .open()
                .passages()
                .inFileOrder((ordinal, own) -> passage.accept(own.id(), own.content()));
    }

    private static LazyDataset dataset(String benchmark, Session session) {
        return new Datasets(session).source(benchmark).lazy(session.progress());
    }

    private static Session session(EvaluationOptions options) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        options.home().ifPresent(home -> environment.put("POSBIAS_HOME", home.toString()));
        Session session = Session.quiet(environment, Path.of(System.getProperty("user.home")));
        ParquetFile.libraryOf(session);
        return session;
    }

    private static @Nullable ContentFixing fixing(EvaluationOptions options, Settings settings, Session session) {
        if (options.contentFixed() == 0) {
            return null;
        }
        ContentFixing fixing = RelocatedTexts.fixing(
                RelocatedTexts.Choice.of(Relocation.ROTATION), options.contentFixed(), (int) settings.seed(), session);
        Depth.checked(settings.withContentFixed(fixing.name()), "k");
        return fixing;
    }

    private static EvaluatedModel searched(String name) {
        Map<String, @Nullable Object> recipe = new LinkedHashMap<>();
        recipe.put("name", name);
        recipe.put("kind", Result.SEARCH);
        return new EvaluatedModel(name, "other", recipe, Checksums.sha256(Json.toBytes(recipe)));
    }

    private static Run run(Search search, Dataset dataset, int k) {
        // As many more as a query excludes, so that k remain.
        int depth = k + dataset.mostExcluded();
        PassageIds ids = dataset.passages().ids();
        List<Query> queries = dataset.judgedQueries();
        List<Ranking> rankings = queries.stream()
                .map(query -> ranking(query, search.search(query.text(), depth), ids))
                .toList();
        return new Run(ids, queries.stream().map(Query::id).toList(), rankings)
                .withoutExcluded(dataset)
                .top(k);
    }

    private static Ranking ranking(Query query, List<Search.Hit> hits, PassageIds ids) {
        int[] passages = new int[hits.size()];
        float[] scores = new float[hits.size()];
        List<Search.Hit> all = new ArrayList<>(hits);
        for (int hit = 0; hit < passages.length; hit++) {
            Search.Hit found = all.get(hit);
            passages[hit] = ids.ordinal(found.passage());
            scores[hit] = (float) found.score();
            if (passages[hit] < 0) {
                throw refused(query, "passage " + Printable.quoted(found.passage()) + ", which the benchmark lacks");
            }
            if (!Float.isFinite(scores[hit])) {
                throw refused(query, "score " + found.score() + " of passage " + Printable.quoted(found.passage()));
            }
        }
        try {
            return Ranking.of(passages, scores);
        } catch (Ranking.DuplicateException twice) {
            throw refused(query, "passage " + Printable.quoted(ids.id(twice.passage())) + " twice");
        }
    }

    private static PosbiasException refused(Query query, String what) {
        return new PosbiasException("query " + Printable.quoted(query.id()) + ": the search gave " + what);
    }
}
