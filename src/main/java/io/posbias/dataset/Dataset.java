package io.posbias.dataset;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark that was opened and checked: every judgement names a query and a passage that exist, every span lies in
 * its passage.
 *
 * @param card what dataset.yaml says
 * @param checksums SHA-256 of the files it was read from, by name inside the folder
 * @param passages the corpus, streamed
 * @param queries all queries, in file order
 * @param qrels the judgements
 * @param parts the names of the benchmarks that are {@linkplain DatasetPool pooled} in it; none of a single one
 * @param notes sentences on what its numbers do not show: queries whose evidence is not known, an unlikely language
 */
public record Dataset(
        DatasetCard card,
        Map<String, String> checksums,
        Passages passages,
        List<Query> queries,
        Qrels qrels,
        List<String> parts,
        List<String> notes) {

    /** Copies the lists. */
    public Dataset {
        queries = List.copyOf(queries);
        parts = List.copyOf(parts);
        notes = List.copyOf(notes);
    }

    /** A single benchmark. */
    public Dataset(
            DatasetCard card, Map<String, String> checksums, Passages passages, List<Query> queries, Qrels qrels) {
        this(card, checksums, passages, queries, qrels, List.of(), List.of());
    }

    /** What results call it. */
    public String name() {
        return card.name();
    }

    /** The same benchmark after its folder was renamed. */
    public Dataset movedTo(Path folder) {
        Passages moved = Passages.in(RowFile.open(DatasetFiles.corpus(folder)), passages.ids());
        return new Dataset(card, checksums, moved, queries, qrels, parts, notes);
    }

    /** Whether any query that counts says where its evidence is, by a position or a label. */
    public boolean hasEvidence() {
        return judgedQueries().stream().map(Query::evidence).anyMatch(Dataset::isLocated);
    }

    /** Whether evidence has a position or a label. */
    static boolean isLocated(@Nullable Evidence evidence) {
        return evidence != null
                && (evidence.start() != Evidence.UNKNOWN || !evidence.labels().isEmpty());
    }

    /** How many passages are left out of what is found for a query, at most. */
    public int mostExcluded() {
        return queries.stream().mapToInt(query -> query.excluded().size()).max().orElse(0);
    }

    /** The queries that count: those with judgements, in file order. */
    public List<Query> judgedQueries() {
        return queries.stream().filter(query -> qrels.of(query.id()) != null).toList();
    }

    /** Whether another is this very object; {@code equals} compares what is in them. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isSame(Dataset other) {
        return this == other;
    }
}
