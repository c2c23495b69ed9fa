package io.posbias.report.page;

import io.posbias.base.process.Session;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.rank.Ranking;
import io.posbias.report.query.Benchmarks;
import io.posbias.report.query.LoadedQuery;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.StoredCell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

public record Drilldowns(Benchmarks benchmarks, String measure, int count, Session session) {
    /** Samples queries of each benchmark. */
    public List<Drilldown> of(List<StoredCell> cells) {
        Map<String, List<StoredCell>> byDataset = cells.stream()
                .collect(Collectors.groupingBy(
                        cell -> cell.result().dataset(), LinkedHashMap::new, Collectors.toList()));
        benchmarks.refuseOthers(byDataset.keySet());
        List<Drilldown> drilldowns = new ArrayList<>();
        byDataset.forEach((dataset, own) -> {
            List<StoredCell> complete =
                    own.stream().filter(StoredCell::hasQueries).toList();
            if (count > 0 && !complete.isEmpty()) {
                drilldowns.add(of(dataset, complete));
            }
        });
        return drilldowns;
    }

    private Drilldown of(String name, List<StoredCell> cells) {
        List<CellQueries> read = cells.stream().map(StoredCell::queries).toList();
        List<SampledQuery> sample = QuerySample.choose(read, measure, count);
        int queries = QuerySample.count(read);
        Benchmarks.Found found = benchmarks.find("texts and ranks", name, cells);
        LazyDataset benchmark = found.benchmark();
        if (benchmark == null) {
            return new Drilldown(name, queries, found.missing(), sample);
        }
        List<String> ids = sample.stream().map(SampledQuery::id).toList();
        Map<String, LoadedQuery> loaded = LoadedQuery.load(benchmark.open(), found.cells(), ids, 0, session);
        sample.forEach(query -> {
            LoadedQuery own = loaded.get(query.id());
            if (own != null) {
                found.cells().forEach(cell -> addRank(cell, own, query.ranks()));
            }
        });
        return new Drilldown(
                name,
                queries,
                null,
                sample.stream().map(query -> query.with(loaded.get(query.id()))).toList());
    }

    private static void addRank(StoredCell cell, LoadedQuery loaded, Map<String, Integer> ranks) {
        Ranking ranking = loaded.rankings().get(cell.folder());
        if (ranking != null) {
            Integer rank = loaded.firstRelevant(ranking);
            ranks.put(cell.result().model(), rank == null ? Drilldown.NOT_FOUND : rank);
        }
    }
}
