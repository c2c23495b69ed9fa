package io.posbias.study.diagnose;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Sentences;
import io.posbias.model.encode.Engine;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.store.ModelStore;
import io.posbias.run.placing.Documents;
import io.posbias.study.diagnose.EvidenceResult.EvidenceDistribution;
import io.posbias.study.diagnose.EvidenceResult.EvidenceEstimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Estimates the evidence of queries: the sentence of the relevant passage that a model scores highest. */
public final class EvidenceEstimator {
    private final Dataset dataset;
    private final List<Documents.Document> documents;

    /**
     * Reads the relevant passages and splits them into sentences.
     *
     * @param n number of queries to draw; null for all
     */
    public EvidenceEstimator(Dataset dataset, @Nullable Integer n, int seed) {
        this.dataset = dataset;
        Documents all = new Documents(dataset, n, seed);
        this.documents = all.read(all.answered());
    }

    public int queries() {
        return documents.size();
    }

    public int sentences() {
        return documents.stream()
                .mapToInt(document -> document.sentences().size())
                .sum();
    }

    /** Queries with estimated evidence; without any if all sentences of a passage tie. */
    public record EvidenceGuess(List<Query> queries, EvidenceEstimate estimate) {}

    /** Scores each sentence with its query and takes the best. */
    public EvidenceGuess guess(Recipe recipe, Engine engine, EvidenceResult.Counting counting) {
        List<double[]> scores = Documents.scores(documents, dataset, recipe, engine);
        List<Query> queries = new ArrayList<>();
        Agreements agreements = new Agreements();
        int several = 0;
        int tied = 0;
        int single = 0;
        for (Documents.Document document : documents) {
            BestSentence best = BestSentence.of(scores.get(queries.size()));
            Query query = document.query();
            queries.add(query.with(best.isTold() ? best.evidence(document.sentences()) : null));
            if (best.isTold()) {
                several += relevant(query) > 1 ? 1 : 0;
                tied += best.tied > 1 ? 1 : 0;
                single += best.all == 1 ? 1 : 0;
                agreements.add(document, best);
            }
        }
        return new EvidenceGuess(
                queries,
                new EvidenceEstimate(
                        recipe.name(),
                        ModelStore.fingerprint(recipe, engine.home()),
                        several,
                        tied,
                        single,
                        agreements.result(counting)));
    }

    private int relevant(Query query) {
        return Objects.requireNonNull(dataset.qrels().of(query.id())).relevant();
    }

    /** The highest-scoring sentence of a passage, the first of equals. */
    private record BestSentence(int number, int tied, int all) {
        static BestSentence of(double[] scores) {
            double most = Arrays.stream(scores).max().orElse(Double.NaN);
            int[] best = IntStream.range(0, scores.length)
                    .filter(i -> Double.compare(scores[i], most) == 0)
                    .toArray();
            return new BestSentence(best.length == 0 ? -1 : best[0], best.length, scores.length);
        }

        Evidence evidence(Sentences sentences) {
            return Sentences.evidence(sentences.text(), sentences.spans().get(number), Evidence.UNKNOWN);
        }

        /** Returns true if the scores differ, or if there is one sentence. */
        boolean isTold() {
            return all == 1 || tied < all;
        }
    }

    private static final class Agreements {
        private final List<Query> queries = new ArrayList<>();
        private int hits;
        private double chance;

        void add(Documents.Document document, BestSentence best) {
            Optional.ofNullable(document.evidence())
                    .flatMap(span -> document.sentences().holding(span))
                    .ifPresent(range -> {
                        queries.add(document.query());
                        hits += range.from() <= best.number && best.number < range.to() ? 1 : 0;
                        chance += (double) range.size() / best.all;
                    });
        }

        EvidenceEstimate.@Nullable Agreement result(EvidenceResult.Counting counting) {
            int n = queries.size();
            return n < EvidenceDistribution.LEAST
                    ? null
                    : new EvidenceEstimate.Agreement(
                            EvidenceDistribution.EvidenceShare.of(hits, n, counting.confidence()),
                            chance / n,
                            EvidenceDistribution.of(
                                    queries.stream().map(counting.at()::of).toList(),
                                    counting.bins(),
                                    counting.confidence()));
        }
    }
}
