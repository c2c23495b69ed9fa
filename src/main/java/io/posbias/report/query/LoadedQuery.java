package io.posbias.report.query;

import io.posbias.base.process.Session;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import io.posbias.score.result.CellRun;
import io.posbias.score.result.ResultFolder;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One judged query with its texts and rankings.
 *
 * @param rankings without the query's excluded passages, by folder of the cell; of cells that have a run
 * @param passages by ordinal: the relevant ones and the first of each ranking
 * @param holder the passage with the evidence; null if the evidence has no span or its length fits several passages
 */
public record LoadedQuery(
        Query query,
        Judgments judgments,
        Map<Path, Ranking> rankings,
        Map<Integer, Passage> passages,
        @Nullable Passage holder) {
    /**
     * Loads judged queries. Reads each run and the corpus once.
     *
     * @param ids queries to load; those that the dataset lacks are left out
     * @return by id
     */
    public static Map<String, LoadedQuery> load(
            Dataset dataset, List<StoredCell> cells, Collection<String> ids, int depth, Session session) {
        List<Query> queries = dataset.judgedQueries().stream()
                .filter(query -> ids.contains(query.id()))
                .toList();
        Map<String, Map<Path, Ranking>> rankings = new HashMap<>();
        queries.forEach(query -> rankings.put(query.id(), new LinkedHashMap<>()));
        for (StoredCell cell : cells) {
            cell.file(ResultFolder.RUN).ifPresent(found -> {
                Run run = session.step(
                        "read the run of " + cell.name(),
                        () -> CellRun.read(cell, dataset).withoutExcluded(dataset));
                rankings.forEach((id, own) -> own.put(cell.folder(), run.of(id)));
            });
        }
        Set<Integer> wanted = new HashSet<>();
        for (Query query : queries) {
            Arrays.stream(judgments(dataset, query).relevantPassages()).forEach(wanted::add);
            Objects.requireNonNull(rankings.get(query.id()))
                    .values()
                    .forEach(ranking ->
                            Arrays.stream(ranking.passages()).limit(depth).forEach(wanted::add));
        }
        Map<Integer, Passage> passages = HashMap.newHashMap(wanted.size());
        dataset.passages().inFileOrder((ordinal, passage) -> {
            if (wanted.contains(ordinal)) {
                passages.put(ordinal, passage);
            }
        });
        Map<String, LoadedQuery> loaded = new LinkedHashMap<>();
        for (Query query : queries) {
            Judgments judgments = judgments(dataset, query);
            loaded.put(
                    query.id(),
                    new LoadedQuery(
                            query,
                            judgments,
                            Objects.requireNonNull(rankings.get(query.id())),
                            passages,
                            holder(
                                    query.evidence(),
                                    relevant(judgments, passages).toList())));
        }
        return loaded;
    }

    private static Judgments judgments(Dataset dataset, Query query) {
        return Objects.requireNonNull(dataset.qrels().of(query.id()));
    }

    private static Stream<Passage> relevant(Judgments judgments, Map<Integer, Passage> passages) {
        return Arrays.stream(judgments.relevantPassages())
                .mapToObj(ordinal -> Objects.requireNonNull(passages.get(ordinal)));
    }

    private static @Nullable Passage holder(@Nullable Evidence evidence, List<Passage> relevant) {
        if (evidence == null || evidence.span() == null) {
            return null;
        }
        List<Passage> fitting = relevant.stream()
                .filter(passage -> CodePoints.count(passage.text()) == evidence.textLength())
                .toList();
        return fitting.size() == 1 ? fitting.getFirst() : null;
    }

    /** Relevant passages, the one with the evidence first. */
    public List<Passage> relevant() {
        return Stream.concat(
                        Stream.ofNullable(holder),
                        relevant(judgments, passages).filter(passage -> !passage.equals(holder)))
                .toList();
    }

    /** Rank of the first relevant passage, from 1; null if the ranking has none. */
    public @Nullable Integer firstRelevant(Ranking ranking) {
        for (int rank = 0; rank < ranking.size(); rank++) {
            if (judgments.grade(ranking.passage(rank)) > 0) {
                return rank + 1;
            }
        }
        return null;
    }

    /**
     * Shortens a passage; the evidence stays readable.
     *
     * @param limit in UTF-16 units
     */
    public Excerpt excerpt(Passage passage, int limit) {
        Evidence evidence = query.evidence();
        return Excerpt.of(passage.text(), evidence == null || !passage.equals(holder) ? null : evidence.span(), limit);
    }
}
