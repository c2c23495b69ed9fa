package io.posbias.model.retrieve;

import org.apache.lucene.index.FieldInvertState;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;

/**
 * BM25 with exact passage lengths, as in bm25s's default, its "lucene" variant (Kamphuis et al. 2020): idf = ln(1 + (N
 * - df + 0.5) / (df + 0.5)), score = idf tf / (tf + k1 (1 - b + b dl / avgdl)). N and avgdl count every passage, also
 * empty ones. Lucene's own {@code BM25Similarity} rounds dl to a byte.
 */
final class ExactLengthSimilarity extends Similarity {
    private final float k1;
    private final float b;

    ExactLengthSimilarity(float k1, float b) {
        this.k1 = k1;
        this.b = b;
    }

    @Override
    public long computeNorm(FieldInvertState state) {
        return state.getLength();
    }

    @Override
    public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... terms) {
        double passages = collection.maxDoc();
        double averageLength = collection.sumTotalTermFreq() / passages;
        double weight = 0;
        for (TermStatistics term : terms) {
            weight += boost * Math.log(1 + (passages - term.docFreq() + 0.5) / (term.docFreq() + 0.5));
        }
        double factor = weight;
        double base = k1 * (1 - b);
        double perTerm = k1 * b / averageLength;
        return new SimScorer() {
            @Override
            public float score(float frequency, long length) {
                return (float) (factor * frequency / (frequency + base + perTerm * length));
            }
        };
    }
}
