package io.posbias.report.query;

import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import io.posbias.base.text.Suggestions;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.rank.Ranking;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.StoredCell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds one query in finished cells: scores and place from queries.csv, the ranking from run.trec.gz, texts from the benchmark.
 */
public record QueryLookup(String id, int k, Benchmarks benchmarks, Session session) {
    /** The longest excerpt of a relevant passage, in UTF-16 units. */
    private static final int PASSAGE = 2_000;

    private static final int LINE = 100;

    private record CellWithQuery(StoredCell cell, CellQueries queries, int place) {
        Query query() {
            return queries.scores().queries().get(place);
        }
    }

    /**
     * Finds the query in each benchmark.
     *
     * @throws UsageException if no benchmark has it, with the nearest identifiers
     */
    public List<ShownQuery> find(List<StoredCell> cells) {
        Set<String> others = new LinkedHashSet<>();
        Map<String, List<CellWithQuery>> found = new LinkedHashMap<>();
        session.step(
                        "read queries",
                        () -> cells.stream()
                                .map(cell -> Map.entry(cell, cell.queries()))
                                .toList())
                .forEach(read -> {
                    List<String> ids = read.getValue().scores().queries().stream()
                            .map(Query::id)
                            .toList();
                    others.addAll(ids);
                    int place = ids.indexOf(id);
                    if (place >= 0) {
                        found.computeIfAbsent(read.getKey().result().dataset(), name -> new ArrayList<>())
                                .add(new CellWithQuery(read.getKey(), read.getValue(), place));
                    }
                });
        if (found.isEmpty()) {
            throw new UsageException("no result has a query " + Printable.quoted(id)
                    + Suggestions.choice(Suggestions.near(id, others).stream()
                                    .map(Printable::cut)
                                    .toList())
                            .map(names -> "; did you mean " + names + "?")
                            .orElse(""));
        }
        return found.entrySet().stream()
                .map(each -> shown(each.getKey(), each.getValue()))
                .toList();
    }

    private ShownQuery shown(String name, List<CellWithQuery> holding) {
        List<StoredCell> cells = holding.stream().map(CellWithQuery::cell).toList();
        Benchmarks.Found found = benchmarks.find("texts and rankings", name, cells);
        LazyDataset benchmark = found.benchmark();
        LoadedQuery loaded = benchmark == null
                ? null
                : LoadedQuery.load(benchmark.open(), found.cells(), List.of(id), k, session)
                        .get(id);
        CellWithQuery any = holding.getFirst();
        QueryBuckets placement = any.queries().placement();
        Evidence evidence = any.query().evidence();
        Evidence placed = evidence != null && evidence.isPlaced() ? evidence : null;
        return new ShownQuery(
                name,
                id,
                loaded == null ? null : loaded.query().text(),
                placement.bucketNamesOf(any.place()),
                placement.bandOf(any.place()),
                placed == null ? null : (Integer) placed.start(),
                placed == null ? null : (Integer) placed.end(),
                placed == null ? null : (Integer) placed.textLength(),
                loaded == null
                        ? List.of()
                        : loaded.relevant().stream()
                                .map(passage -> new ShownQuery.ShownPassage(
                                        passage.id(), passage.title(), loaded.excerpt(passage, PASSAGE)))
                                .toList(),
                holding.stream().map(one -> answer(one, loaded)).toList(),
                loaded == null ? found.missing() : null);
    }

    private ShownQuery.ModelAnswer answer(CellWithQuery one, @Nullable LoadedQuery loaded) {
        Map<String, Double> scores = one.queries().scores().ofQuery(one.place());
        Result result = one.queries().result();
        List<String> unread = unread(result, one);
        Ranking ranking =
                loaded == null ? null : loaded.rankings().get(one.cell().folder());
        return loaded == null || ranking == null
                ? new ShownQuery.ModelAnswer(result.model(), scores, null, null, List.of(), unread)
                : new ShownQuery.ModelAnswer(
                        result.model(),
                        scores,
                        loaded.firstRelevant(ranking),
                        ranking.size(),
                        IntStream.range(0, Math.min(k, ranking.size()))
                                .mapToObj(rank -> hit(loaded, ranking, rank))
                                .toList(),
                        unread);
    }

    private static ShownQuery.RankedPassage hit(LoadedQuery loaded, Ranking ranking, int rank) {
        int ordinal = ranking.passage(rank);
        Passage passage = Objects.requireNonNull(loaded.passages().get(ordinal));
        Judgments judgments = loaded.judgments();
        boolean judged = Arrays.binarySearch(judgments.passages(), ordinal) >= 0;
        return new ShownQuery.RankedPassage(
                rank + 1,
                passage.id(),
                ranking.score(rank),
                judged ? (Integer) judgments.grade(ordinal) : null,
                loaded.excerpt(passage, LINE));
    }

    private static List<String> unread(Result result, CellWithQuery one) {
        List<String> lines = new ArrayList<>();
        QueryBuckets placement = one.queries().placement();
        for (Truncation truncation : result.retrieval().truncations()) {
            if (!truncation.known() && truncation.isWorthTelling()) {
                lines.add(truncation.stage() + ": the service may have cut texts and does not say which");
            }
            for (String name : placement.bucketNamesOf(one.place())) {
                truncation.buckets().stream()
                        .filter(cut -> cut.bucket().equals(name) && cut.startsPast() > 0)
                        .forEach(cut -> lines.add(truncation.stage() + " reads " + truncation.maxTokens()
                                + " tokens: of " + queries(result, name) + " queries in " + name + ", "
                                + cut.startsPast() + " have their evidence past the cut"));
            }
        }
        return lines;
    }

    private static int queries(Result result, String bucket) {
        return result.overall(result.measures().getFirst()).buckets().stream()
                .filter(own -> own.bucket().equals(bucket))
                .mapToInt(BucketMean::queries)
                .sum();
    }
}
