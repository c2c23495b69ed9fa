package io.posbias.run;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Stopwatch;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Query;
import io.posbias.data.position.Bucketing;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.Ties;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.ContentFixedFit;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Profiler;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.SearchFacts;
import io.posbias.score.measure.Settings;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Environment;
import io.posbias.score.result.EvaluatedModel;
import io.posbias.score.result.PlacesFile;
import io.posbias.score.result.Provenance;
import io.posbias.score.result.QueryCounts;
import io.posbias.score.result.Result;
import io.posbias.score.result.Retrieval;
import io.posbias.score.result.RunKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Evaluation of one cell: retrieval, and the findings of a run.
 *
 * @param settings as asked for; findings have those {@linkplain Settings#on of the benchmark}
 * @param stopwatch includes the time to open the benchmark
 */
public record Evaluation(Dataset dataset, Settings settings, int threads, Stopwatch stopwatch) {
    List<ScoresByPlace> places(ContentFixing fixing, Recipe recipe, RetrievedRun found, Engine engine) {
        return stopwatch.time(
                "content fixed", () -> fixing.scorer().score(dataset, recipe, found, settings.measure(), engine));
    }

    /** Indexes the corpus and answers all judged queries. */
    public RetrievedRun retrieve(Recipe recipe, Engine engine) {
        try (Searcher searcher = stopwatch.time(
                "index", () -> recipe.retriever().open(dataset, engine).withoutExcluded())) {
            return stopwatch
                    .time("search", () -> searcher.search(dataset.judgedQueries(), settings.k()))
                    .top(settings.k());
        }
    }

    public EvaluatedCell measure(EvaluatedModel model, RetrievedRun found) {
        return measure(
                model,
                found.run(),
                queries -> SearchFacts.of(found.report(), dataset, queries),
                (facts, placement) -> Retrieval.of(found.report(), facts, placement));
    }

    EvaluatedCell measure(EvaluatedModel model, Run run, SearchFacts facts, Retrieval stored) {
        return measure(model, run, queries -> facts, stored::in);
    }

    private EvaluatedCell measure(
            EvaluatedModel model,
            Run found,
            Function<List<Query>, SearchFacts> factsOf,
            BiFunction<SearchFacts, QueryBuckets, Retrieval> retrieval) {
        Settings own = settings.on(dataset);
        Run run = found.withoutExcluded(dataset);
        Ties.refuseAll(model.name(), run);
        Scores scores = stopwatch.time("score", () -> Scores.of(run, dataset, own.measures(), threads));
        QueryBuckets placement = QueryBuckets.of(
                scores.queries(), own.bucketing(), Clustering.of(dataset, scores.queries(), own.unit()));
        SearchFacts facts = factsOf.apply(scores.queries());
        List<Profile> profiles =
                stopwatch.time("profile", () -> new Profiler(own, threads).profiles(scores, placement, facts));
        Result result = new Result(
                model.name(),
                model.family(),
                dataset.name(),
                QueryCounts.of(dataset, run, placement),
                profiles,
                retrieval.apply(facts, placement),
                new Provenance(
                        // Scores by place may be added.
                        own.withContentFixed(null),
                        model.recipe(),
                        model.sha256(),
                        dataset.checksums(),
                        dataset.notes(),
                        null,
                        Map.of(),
                        Environment.describe(threads),
                        stopwatch.seconds()));
        EvaluatedCell plain = new EvaluatedCell(new CellQueries(result, scores, placement, facts, List.of()), run);
        return dataset.card().contentFixed().isEmpty()
                ? plain
                : fixed(
                        plain,
                        ContentFixed.OF_BENCHMARK,
                        Variants.rows(dataset, plain),
                        QueryBuckets.of(List.of(), Bucketing.NONE));
    }

    /** Adds the scores by place of a run, which are fitted where they are of the first measure. */
    EvaluatedCell placed(EvaluatedCell plain, Cell.Placed placed) {
        RunKey.Placing placing = placed.placing();
        if (placing == null) {
            return plain;
        }
        CellQueries queries = plain.queries();
        EvaluatedCell own = new EvaluatedCell(queries.with(plain.result().with(placing), placed.rows()), plain.run());
        if (!placing.measure().equals(settings.measure().toString())) {
            return own;
        }
        Map<String, Query> byId = new HashMap<>();
        queries.scores().queries().forEach(query -> byId.put(query.id(), query));
        List<Query> asked = placed.rows().stream()
                .map(row -> {
                    Query query = byId.get(row.query());
                    if (query == null) {
                        throw new PosbiasException(PlacesFile.NAME + " names query " + Printable.quoted(row.query())
                                + ", which is not in " + dataset.name() + ": make the cell again with --overwrite");
                    }
                    return query;
                })
                .toList();
        return fixed(
                own,
                placing.method(),
                placed.rows(),
                QueryBuckets.of(asked, plain.result().settings().bucketing()));
    }

    private EvaluatedCell fixed(
            EvaluatedCell plain, String method, List<ScoresByPlace> places, QueryBuckets placement) {
        Settings own = settings.on(dataset);
        boolean isTooLittle = own.draws() == 0
                || places.stream()
                                .map(ScoresByPlace::passage)
                                .distinct()
                                .limit(2)
                                .count()
                        < 2;
        ContentFixed fixed = isTooLittle
                ? null
                : stopwatch.time("fit", () -> new ContentFixedFit(own, method, threads).of(places, placement));
        List<Profile> profiles = new ArrayList<>(plain.result().profiles());
        if (fixed != null) {
            profiles.set(0, profiles.getFirst().with(fixed));
        }
        return new EvaluatedCell(
                plain.queries().with(plain.result().with(profiles, own, stopwatch.seconds()), places), plain.run());
    }
}
