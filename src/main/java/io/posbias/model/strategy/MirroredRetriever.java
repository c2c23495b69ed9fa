package io.posbias.model.strategy;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Passage;
import io.posbias.model.encode.CallEstimate;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.FirstStage;
import io.posbias.model.retrieve.Model;
import io.posbias.model.retrieve.PoolScorer;
import io.posbias.model.retrieve.Preview;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.Retriever;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.Ranking;
import io.posbias.rank.RetrievedRun;
import io.posbias.rank.Run;
import io.posbias.rank.SearchReport;
import io.posbias.rank.Truncations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Mean of the scores of passages and of their mirror images, for models whose vectors cannot be averaged. */
record MirroredRetriever(Recipe recipe, Retriever inner) implements Retriever {
    private static Dataset mirrored(Dataset dataset) {
        return new Dataset(
                dataset.card(),
                dataset.checksums(),
                dataset.passages()
                        .map(passage -> new Passage(passage.id(), "", MirroredStrategy.mirrored(passage.content()))),
                dataset.queries(),
                dataset.qrels(),
                dataset.parts(),
                dataset.notes());
    }

    @Override
    public Searcher open(Dataset dataset, Engine engine) {
        return inner.firstStage()
                .map(stage -> stage.open(dataset, () -> scorer(dataset, engine), engine))
                .orElseGet(() -> scorer(dataset, engine).searcher(dataset));
    }

    @Override
    public PoolScorer scorer(Dataset corpus, Engine engine) {
        PoolScorer scorer = inner.scorer(corpus, engine);
        return PoolScorer.of(
                (texts, pool) -> mean(scorer.score(texts, pool), scorer.score(mirrored(texts), pool), pool),
                scorer::close);
    }

    @Override
    public Optional<Model> model() {
        return inner.model().map(model -> model instanceof Model.Encoder encoder ? encoder.withoutVectors() : model);
    }

    @Override
    public Optional<FirstStage> firstStage() {
        return inner.firstStage();
    }

    @Override
    public Optional<Preview> preview() {
        return inner.preview().map(inside -> (dataset, engine) -> {
            SearchReport own = inside.of(dataset, engine);
            SearchReport ofText = own.with(ofText(own));
            return inner.firstStage()
                    .map(stage -> stage.preview(ofText, dataset, engine))
                    .orElse(ofText);
        });
    }

    @Override
    public CallEstimate calls(Dataset dataset, @Nullable Run pool, Engine engine) {
        FirstStage stage = inner.firstStage().orElse(null);
        if (pool == null && stage != null) {
            return stage.calls(dataset, engine).plus(calls(dataset, stage.candidates(dataset, engine), engine));
        }
        return inner.calls(dataset, pool, engine).plus(inner.calls(mirrored(dataset), pool, engine));
    }

    private RetrievedRun mean(RetrievedRun own, RetrievedRun mirrored, Run pool) {
        List<Ranking> rankings = new ArrayList<>();
        for (int query = 0; query < pool.queries().size(); query++) {
            rankings.add(mean(own.run().ranking(query), mirrored.run().ranking(query)));
        }
        // The second report counts both, since one scorer counts cumulatively.
        Map<String, Number> usage = mirrored.report().usage();
        return new RetrievedRun(
                new Run(pool.passages(), pool.queries(), rankings),
                new SearchReport(ofText(own.report()), null, own.report().searchStats(), usage));
    }

    /** Reports truncation of the text; the mirror image is read in addition. */
    private Truncations ofText(SearchReport own) {
        return own.truncations().withoutFirstStage().named(recipe.name());
    }

    private static Ranking mean(Ranking own, Ranking mirrored) {
        Map<Integer, Float> others = new HashMap<>();
        for (int rank = 0; rank < mirrored.size(); rank++) {
            others.put(mirrored.passage(rank), mirrored.score(rank));
        }
        float[] scores = new float[own.size()];
        for (int rank = 0; rank < scores.length; rank++) {
            double other = Objects.requireNonNull(others.get(own.passage(rank)));
            scores[rank] = (float) ((own.score(rank) + other) / 2);
        }
        return Ranking.of(own.passages(), scores);
    }
}
