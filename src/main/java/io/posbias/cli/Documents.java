package io.posbias.cli;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Query;
import io.posbias.dataset.Sampler;
import io.posbias.dataset.Span;
import io.posbias.probe.Sentences;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Queries of a benchmark with the relevant passage of each. */
final class Documents {
    private final Dataset dataset;

    Documents(Dataset dataset) {
        this.dataset = dataset;
    }

    /**
     * A query's document.
     *
     * @param evidence the answer in its text, in UTF-16 units; null when that is not known
     */
    record Document(
            Query query, Sentences sentences, @Nullable Span evidence) {}

    /** The judged queries that have a relevant passage, in file order. */
    List<Query> answered() {
        return dataset.judgedQueries().stream()
                .filter(query -> judgments(query).relevant() > 0)
                .toList();
    }

    /**
     * Of these, the queries whose evidence has a span in the one relevant passage. Among several it is not known which
     * holds it.
     */
    List<Query> evident() {
        return answered().stream()
                .filter(query -> judgments(query).relevant() == 1 && span(query) != null)
                .toList();
    }

    /**
     * The documents of some queries: where several passages are relevant, the first by identifier.
     *
     * @param n how many to draw, null for all; those of all are in file order
     */
    List<Document> read(List<Query> queries, @Nullable Integer n, int seed) {
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
