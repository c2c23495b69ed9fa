package io.posbias.diagnose;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Query;
import io.posbias.encode.Engine;
import io.posbias.evaluate.ModelStore;
import io.posbias.evaluate.TextScorer;
import io.posbias.retrieve.Recipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Guesses the evidence of queries: the sentence of the relevant passage that a model scores highest. */
public final class EvidenceEstimator {
    private final Dataset dataset;
    private final List<Documents.Document> documents;
    private final List<TextScorer.Pair> pairs = new ArrayList<>();

    /**
     * Reads the relevant passages and cuts them into sentences.
     *
     * @param n how many queries to draw, null for all
     */
    public EvidenceEstimator(Dataset dataset, @Nullable Integer n, int seed) {
        this.dataset = dataset;
        Documents all = new Documents(dataset, n, seed);
        this.documents = all.read(all.answered());
        documents.forEach(document -> document.sentences()
                .all()
                .forEach(sentence ->
                        pairs.add(new TextScorer.Pair(document.query().text(), sentence))));
    }

    /** How many queries there are. */
    public int queries() {
        return documents.size();
    }

    /** How many sentences they have together. */
    public int sentences() {
        return pairs.size();
    }

    /**
     * What was guessed.
     *
     * @param queries with the guess for their evidence; without any where the scores tell no sentence from the others
     */
    public record Guess(List<Query> queries, EvidenceEstimate estimate) {}

    /** Scores each sentence with its query and takes the best. */
    public Guess guess(Recipe recipe, Engine engine, int bins, double confidence) {
        double[] scores = pairs.isEmpty()
                ? new double[0]
                : new TextScorer(
                                pairs, dataset.card().language(), dataset.card().queryLanguage())
                        .score(recipe, engine);
        List<Query> queries = new ArrayList<>();
        Agreements agreements = new Agreements();
        int several = 0;
        int tied = 0;
        int single = 0;
        int from = 0;
        for (Documents.Document document : documents) {
            Sentences sentences = document.sentences();
            int to = from + sentences.size();
            SentenceEvidence best = SentenceEvidence.of(sentences, Arrays.copyOfRange(scores, from, to));
            from = to;
            boolean told = sentences.size() > 0 && best.isTold();
            Query query = document.query();
            queries.add(new Query(query.id(), query.text(), told ? best.evidence() : null));
            if (told) {
                several += relevant(query) > 1 ? 1 : 0;
                tied += best.tied() > 1 ? 1 : 0;
                single += sentences.size() == 1 ? 1 : 0;
                agreements.add(document, best);
            }
        }
        return new Guess(
                queries,
                new EvidenceEstimate(
                        recipe.name(),
                        ModelStore.fingerprint(recipe, engine.home()),
                        several,
                        tied,
                        single,
                        agreements.result(bins, confidence)));
    }

    private int relevant(Query query) {
        Judgments judgments = dataset.qrels().of(query.id());
        return Objects.requireNonNull(judgments).relevant();
    }

    /** Counts where the guess can be held against a span. */
    private static final class Agreements {
        private final List<Query> queries = new ArrayList<>();
        private int hits;
        private double chance;

        void add(Documents.Document document, SentenceEvidence best) {
            Optional<Sentences.Range> held = Optional.ofNullable(document.evidence())
                    .flatMap(span -> document.sentences().holding(span));
            held.ifPresent(range -> {
                queries.add(document.query());
                hits += best.isIn(range) ? 1 : 0;
                chance += (double) range.size() / document.sentences().size();
            });
        }

        EvidenceEstimate.@Nullable Agreement result(int bins, double confidence) {
            int n = queries.size();
            return n < EvidencePlaces.LEAST
                    ? null
                    : new EvidenceEstimate.Agreement(
                            EvidencePlaces.Share.of(hits, n, confidence),
                            chance / n,
                            EvidencePlaces.of(queries, bins, confidence));
        }
    }
}
