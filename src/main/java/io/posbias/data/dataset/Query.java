package io.posbias.data.dataset;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query.
 *
 * @param evidence null if unknown
 * @param passage identifier of the passage with the evidence, if the benchmark names it; else null
 * @param excluded identifiers of passages to exclude from rankings, as in BRIGHT
 * @param variant null for an independent query
 * @param answers texts that answer it, in the words of the benchmark; empty if it has none besides the evidence
 */
public record Query(
        String id,
        String text,
        @Nullable Evidence evidence,
        @Nullable String passage,
        List<String> excluded,
        @Nullable Variant variant,
        List<String> answers) {
    /**
     * One of several queries with the same text and its evidence at different places.
     *
     * @param of identifier shared by the variants
     * @param place from 1
     * @param document from which all variants' passages were cut
     */
    public record Variant(String of, int place, String document) {}

    public Query {
        excluded = List.copyOf(excluded);
        answers = List.copyOf(answers);
    }

    public Query(
            String id,
            String text,
            @Nullable Evidence evidence,
            @Nullable String passage,
            List<String> excluded,
            @Nullable Variant variant) {
        this(id, text, evidence, passage, excluded, variant, List.of());
    }

    public Query(String id, String text, @Nullable Evidence evidence, @Nullable String passage) {
        this(id, text, evidence, passage, List.of(), null);
    }

    public Query(String id, String text, @Nullable Evidence evidence) {
        this(id, text, evidence, null);
    }

    public Query with(@Nullable Evidence other) {
        return at(other, passage);
    }

    Query at(@Nullable Evidence other, @Nullable String holder) {
        return new Query(id, text, other, holder, excluded, variant, answers);
    }

    public Query excluding(List<String> passages) {
        return new Query(id, text, evidence, passage, passages, variant, answers);
    }

    public Query withAnswers(List<String> texts) {
        return new Query(id, text, evidence, passage, excluded, variant, texts);
    }
}
