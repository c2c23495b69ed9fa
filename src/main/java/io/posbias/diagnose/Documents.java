package io.posbias.diagnose;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import io.posbias.dataset.convert.Sampler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Queries of a benchmark with the relevant passage of each. */
public final class Documents {
    private final Dataset dataset;
    private final @Nullable Integer n;
    private final int seed;

    /**
     * @param n how many to draw of those that fit, null for all
     * @param seed of the draw
     */
    public Documents(Dataset dataset, @Nullable Integer n, int seed) {
        this.dataset = dataset;
        this.n = n;
        this.seed = seed;
    }

    /** The language of the documents. */
    public String language() {
        return dataset.card().language();
    }

    /** The benchmark. */
    Dataset dataset() {
        return dataset;
    }

    /**
     * A query's document.
     *
     * @param evidence the answer in its text, in UTF-16 units; null when that is not known
     */
    public record Document(
            Query query, Sentences sentences, @Nullable Span evidence) {}

    /** The judged queries that have a relevant passage, in file order. */
    public List<Query> answered() {
        return dataset.judgedQueries().stream()
                .filter(query -> judgments(query).relevant() > 0)
                .toList();
    }

    /**
     * Of these, the queries whose evidence has a span in the one relevant passage. Among several it is not known which
     * holds it.
     */
    public List<Query> evident() {
        return answered().stream()
                .filter(query -> judgments(query).relevant() == 1 && span(query) != null)
                .toList();
    }

    /**
     * The documents of some queries, or those that are drawn of them: where several passages are relevant, the first by
     * identifier. Those of all are in file order.
     */
    public List<Document> read(List<Query> queries) {
        List<Query> drawn = n == null ? queries : Sampler.draw(queries, n, seed);
        Map<Integer, Sentences> sentences = new HashMap<>();
        Set<Integer> wanted = new HashSet<>();
        drawn.forEach(query -> wanted.add(passage(query)));
        dataset.passages().forEach((ordinal, passage) -> {
            if (wanted.contains(ordinal)) {
                sentences.put(
                        ordinal, Sentences.of(passage.text(), dataset.card().language()));
            }
        });
        List<Document> documents = new ArrayList<>();
        for (Query query : drawn) {
            Span evidence = judgments(query).relevant() == 1 ? span(query) : null;
            documents.add(new Document(query, Objects.requireNonNull(sentences.get(passage(query))), evidence));
        }
        return documents;
    }

    private Judgments judgments(Query query) {
        return Objects.requireNonNull(dataset.qrels().of(query.id()));
    }

    /** Ordinals run from the last identifier to the first. */
    private int passage(Query query) {
        int[] relevant = judgments(query).relevantPassages();
        return relevant[relevant.length - 1];
    }

    private static @Nullable Span span(Query query) {
        Evidence evidence = query.evidence();
        return evidence == null ? null : evidence.span();
    }
}
