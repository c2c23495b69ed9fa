package io.posbias.experiment;

import io.posbias.PosbiasException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Passages;
import io.posbias.dataset.Qrels;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.evaluate.Evaluation;
import io.posbias.evaluate.ModelStore;
import io.posbias.evaluate.Scoring;
import io.posbias.evaluate.Stopwatch;
import io.posbias.retrieve.Recipe;
import io.posbias.retrieve.RetrievedRun;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.SearchReport;
import io.posbias.retrieve.Searcher;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * A small part of a benchmark, evaluated to see how long that takes: some queries, their relevant passages, and others drawn
 * from all.
 */
final class Trial {
    private final Dataset part;

    private Trial(Dataset part) {
        this.part = part;
    }

    /** Draws a part of at most so many passages and queries. */
    static Trial of(Dataset all, int passages, int queries, long seed) {
        Random random = new Random(seed);
        List<Query> asked = new ArrayList<>(all.judgedQueries());
        Collections.shuffle(asked, random);
        List<Query> kept = new ArrayList<>();
        BitSet wanted = new BitSet();
        for (Query query : asked) {
            int first = judged(all, query).firstRelevant();
            if (kept.size() < queries && first >= 0 && (wanted.get(first) || wanted.cardinality() < passages)) {
                wanted.set(first);
                kept.add(query);
            }
        }
        int most = Math.min(passages, all.passages().size());
        while (wanted.cardinality() < most) {
            wanted.set(random.nextInt(all.passages().size()));
        }
        return new Trial(part(all, wanted, kept));
    }

    private static Judgments judged(Dataset all, Query query) {
        return Objects.requireNonNull(all.qrels().of(query.id()));
    }

    private static Dataset part(Dataset all, BitSet wanted, List<Query> queries) {
        List<Passage> passages = new ArrayList<>();
        all.passages().forEach((ordinal, passage) -> {
            if (wanted.get(ordinal)) {
                passages.add(passage);
            }
        });
        Passages own = Passages.of(passages);
        Map<String, Judgments> judgments = new HashMap<>();
        for (Query query : queries) {
            String id = all.passages().ids().id(judged(all, query).firstRelevant());
            judgments.put(query.id(), Judgments.of(Map.of(own.ids().ordinal(id), 1)));
        }
        DatasetCard card = all.card();
        return new Dataset(
                new DatasetCard(
                        card.name(),
                        card.language(),
                        card.queryLanguage(),
                        "",
                        "",
                        card.bucketing(),
                        "",
                        card.evidenceText(),
                        Map.of()),
                Map.of(),
                own,
                queries.stream()
                        .map(query -> new Query(query.id(), query.text(), query.evidence()))
                        .toList(),
                new Qrels(judgments));
    }

    Dataset part() {
        return part;
    }

    /**
     * How long the steps took.
     *
     * @param index seconds to load the model and read the passages
     * @param search seconds to answer the queries
     * @param measure seconds to score them and for the statistics
     */
    record Seconds(double index, double search, double measure) {
        double sum() {
            return index + search + measure;
        }
    }

    /** Evaluates the part; keeps neither vectors nor results. */
    Seconds run(Recipe recipe, Scoring scoring, int k, Engine engine) {
        var opened = engine.session().time(() -> recipe.retriever().open(part, engine));
        try (Searcher searcher = opened.result()) {
            var found = engine.session().time(() -> searcher.search(part.judgedQueries(), k));
            return new Seconds(opened.seconds(), found.seconds(), measured(recipe, scoring, k, engine, found.result()));
        }
    }

    private double measured(Recipe recipe, Scoring scoring, int k, Engine engine, Run run) {
        Evaluation evaluation = new Evaluation(part, scoring, new Stopwatch());
        try {
            return engine.session()
                    .time(() -> evaluation.measure(
                            ModelStore.model(recipe, engine.home()), new RetrievedRun(run, SearchReport.NONE), k))
                    .seconds();
        } catch (PosbiasException tooFew) {
            // Buckets or clusters that so few queries cannot have.
            return 0;
        }
    }
}
