package io.posbias.data.dataset;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * An opened and checked benchmark: judgements name existing queries and passages, spans are inside their passages.
 *
 * @param checksums SHA-256 by file name
 * @param passages streamed
 * @param queries in file order
 * @param parts names of {@linkplain DatasetPool pooled} benchmarks; empty for a single one
 * @param notes warnings, for example queries without evidence or an unlikely language
 */
public record Dataset(
        DatasetCard card,
        Map<String, String> checksums,
        Passages passages,
        List<Query> queries,
        Qrels qrels,
        List<String> parts,
        List<String> notes) {

    public Dataset {
        queries = List.copyOf(queries);
        parts = List.copyOf(parts);
        notes = List.copyOf(notes);
    }

    public Dataset(
            DatasetCard card, Map<String, String> checksums, Passages passages, List<Query> queries, Qrels qrels) {
        this(card, checksums, passages, queries, qrels, List.of(), List.of());
    }

    public String name() {
        return card.name();
    }

    /**
     * Restricts this benchmark to some passages.
     *
     * @param relevant the only relevant passage of each query, by identifier, in the order of the queries
     */
    public Dataset restricted(List<Passage> some, SequencedMap<Query, String> relevant) {
        Passages own = Passages.of(some);
        Map<String, Judgments> judgments = new HashMap<>();
        relevant.forEach((query, passage) ->
                judgments.put(query.id(), Judgments.of(Map.of(own.ids().ordinal(passage), 1))));
        return new Dataset(card, Map.of(), own, List.copyOf(relevant.keySet()), new Qrels(judgments));
    }

    /** Returns this benchmark after its folder was renamed. */
    public Dataset moved(Path folder) {
        Passages moved = Passages.in(RowFile.open(DatasetFiles.corpus(folder)), passages.ids());
        return new Dataset(card, checksums, moved, queries, qrels, parts, notes);
    }

    /** True if any judged query has evidence with a position or a label. */
    public boolean hasEvidence() {
        return judgedQueries().stream().map(Query::evidence).anyMatch(Dataset::isLocated);
    }

    static boolean isLocated(@Nullable Evidence evidence) {
        return evidence != null
                && (evidence.start() != Evidence.UNKNOWN || !evidence.labels().isEmpty());
    }

    /** Returns the largest number of excluded passages of a query. */
    public int mostExcluded() {
        return queries.stream().mapToInt(query -> query.excluded().size()).max().orElse(0);
    }

    /** Counts the judged queries that have the identifier of a passage, unless it is relevant for them. */
    public int alsoPassages() {
        return (int) judgedQueries().stream()
                .filter(query -> {
                    int own = passages.ids().ordinal(query.id());
                    Judgments judgments = qrels.of(query.id());
                    return own >= 0 && judgments != null && judgments.grade(own) < 1;
                })
                .count();
    }

    /** Returns the queries with judgements, in file order. */
    public List<Query> judgedQueries() {
        return queries.stream().filter(query -> qrels.of(query.id()) != null).toList();
    }

    /** True for the identical object; {@code equals} compares contents. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isSame(Dataset other) {
        return this == other;
    }
}
