package io.posbias.evaluate;

import io.posbias.Configs;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.measure.Clustering;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.Measure;
import io.posbias.measure.PoolRecall;
import io.posbias.measure.Profile;
import io.posbias.measure.QueryBuckets;
import io.posbias.measure.Scores;
import io.posbias.measure.ScoresByPlace;
import io.posbias.measure.Truncation;
import io.posbias.position.Bucketing;
import io.posbias.result.EvaluatedModel;
import io.posbias.result.PlacesFile;
import io.posbias.result.Provenance;
import io.posbias.result.QueryCounts;
import io.posbias.result.Result;
import io.posbias.result.Retrieval;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrievedRun;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.SearchReport;
import io.posbias.retrieve.Searcher;
import io.posbias.retrieve.Ties;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation of one cell: retrieval, scores, profiles, result.
 *
 * @param stopwatch includes the time to open the benchmark
 */
public record Evaluation(Dataset dataset, Scoring scoring, Stopwatch stopwatch) {
    /**
     * Contents of a cell's files.
     *
     * @param places scores by evidence position; empty without content fixing
     */
    public record EvaluatedCell(
            Result result, Run run, Scores scores, QueryBuckets placement, List<ScoresByPlace> places) {
        /** Records the benchmark's folder in the result, unless it is in posbias's home or jar. */
        public EvaluatedCell readFrom(Path benchmark, Path home, Path folder) {
            boolean own = benchmark.toAbsolutePath().startsWith(home.toAbsolutePath())
                    || benchmark.startsWith(Configs.path("data"));
            return own ? this : new EvaluatedCell(result.readFrom(benchmark, folder), run, scores, placement, places);
        }

        /**
         * Adds content-fixed numbers.
         *
         * @param fixed null with too little data
         * @param name of the method in settings
         */
        EvaluatedCell with(@Nullable ContentFixed fixed, String name, List<ScoresByPlace> rows, Stopwatch stopwatch) {
            List<Profile> profiles = new ArrayList<>(result.profiles());
            if (fixed != null) {
                profiles.set(0, profiles.getFirst().with(fixed));
            }
            return new EvaluatedCell(
                    result.with(profiles, result.settings().withFixed(name), stopwatch.seconds()),
                    run,
                    scores,
                    placement,
                    rows);
        }
    }

    /** Indexes the corpus and answers all judged queries. */
    public RetrievedRun retrieve(Recipe recipe, int k, Engine engine) {
        try (Searcher searcher = stopwatch.time(
                "index", () -> recipe.retriever().open(dataset, engine).withoutExcluded())) {
            Run run = stopwatch.time("search", () -> searcher.search(dataset.judgedQueries(), k));
            return new RetrievedRun(run.top(k), searcher.report());
        }
    }

    /**
     * Measures a run.
     *
     * @param k requested depth; 0 for an external run
     */
    public EvaluatedCell measure(EvaluatedModel model, RetrievedRun found, int k) {
        return measure(
                model,
                found.run(),
                k,
                found.report(),
                (queries, placement) -> retrieval(found.report(), queries, placement));
    }

    /**
     * @param report of the search, as far as known
     * @param retrieval returns the retrieval report for judged queries and their buckets
     */
    EvaluatedCell measure(
            EvaluatedModel model,
            Run found,
            int k,
            SearchReport report,
            BiFunction<List<Query>, QueryBuckets, Retrieval> retrieval) {
        Run run = found.withoutExcluded(dataset);
        Ties.refuseAll(model.name(), run);
        Bucketing bucketing = scoring.bucketing(dataset);
        Scores scores = stopwatch.time("score", () -> Scores.of(run, dataset, scoring.measures(), scoring.threads()));
        QueryBuckets placement = QueryBuckets.of(
                scores.queries(), bucketing, Clustering.of(dataset, scores.queries(), scoring.cluster()));
        List<Profile> profiles =
                stopwatch.time("profile", () -> scoring.profiler().profiles(scores, placement));
        Result result = new Result(
                model.name(),
                model.family(),
                dataset.name(),
                counts(run, placement),
                profiles,
                retrieval.apply(scores.queries(), placement),
                new Provenance(
                        scoring.settings(k, dataset.card()),
                        model.recipe(),
                        model.sha256(),
                        dataset.checksums(),
                        Map.of(),
                        Environment.describe(scoring.threads()),
                        stopwatch.seconds()));
        EvaluatedCell plain = new EvaluatedCell(result, run, scores, placement, List.of());
        return dataset.card().contentFixed().isEmpty()
                ? plain
                : variants(plain, Variants.rows(dataset, run, scores, placement, report));
    }

    /** Adds the content-fixed numbers of a benchmark of {@linkplain Query.Variant variants}. */
    EvaluatedCell variants(EvaluatedCell plain, List<ScoresByPlace> rows) {
        ContentFixed fixed = stopwatch.time("fit", () -> Variants.fit(rows, scoring));
        return plain.with(fixed, dataset.card().contentFixed(), rows, stopwatch);
    }

    /** Scores queries by the position of their evidence, on the first measure. */
    List<ScoresByPlace> places(ContentFixing fixing, Recipe recipe, RetrievedRun found, Engine engine) {
        Measure measure = scoring.measures().getFirst();
        return stopwatch.time("content fixed", () -> fixing.scorer().score(dataset, recipe, found, measure, engine));
    }

    /** Adds content-fixed numbers to the first measure over all queries. */
    EvaluatedCell fixed(EvaluatedCell outcome, ContentFixing fixing, List<ScoresByPlace> places) {
        Map<String, Integer> numbers = new HashMap<>();
        List<Query> queries = outcome.scores().queries();
        for (int query = 0; query < queries.size(); query++) {
            numbers.put(queries.get(query).id(), query);
        }
        List<Query> asked = places.stream()
                .map(row -> {
                    Integer number = numbers.get(row.query());
                    if (number == null) {
                        throw new PosbiasException(PlacesFile.NAME + " names query " + Printable.quoted(row.query())
                                + ", which is not in " + dataset.name() + ": make the cell again with --overwrite");
                    }
                    return queries.get(number);
                })
                .toList();
        ContentFixed fixed = stopwatch.time(
                "fit",
                () -> fixing.fit(scoring)
                        .of(places, QueryBuckets.of(asked, outcome.placement().bucketing())));
        return outcome.with(fixed, fixing.name(), places, stopwatch);
    }

    private Retrieval retrieval(SearchReport report, List<Query> queries, QueryBuckets placement) {
        List<Truncation> truncations = report.truncations().all().stream()
                .map(truncation -> Truncation.of(truncation, dataset, queries, placement))
                .toList();
        SearchReport.FirstStage stage = report.firstStage();
        PoolRecall pool = stage == null ? null : PoolRecall.of(stage, dataset, queries, placement);
        Map<String, Double> usage = new LinkedHashMap<>();
        report.usage().forEach((name, value) -> usage.put(name, value.doubleValue()));
        return new Retrieval(truncations, pool, report.searchStats(), usage);
    }

    private QueryCounts counts(Run run, QueryBuckets placement) {
        int judged = dataset.judgedQueries().size();
        int tied = Ties.tied(run);
        int alike = Ties.alike(run);
        int unanswered = (int) dataset.judgedQueries().stream()
                .map(query -> run.of(query.id()))
                .filter(ranking -> ranking.size() == 0)
                .count();
        return new QueryCounts(
                judged,
                dataset.queries().size() - judged,
                placement.inSeveral(),
                placement.inNone(),
                unanswered,
                tied == 0 ? null : (Integer) tied,
                alike == 0 ? null : (Integer) alike);
    }
}
