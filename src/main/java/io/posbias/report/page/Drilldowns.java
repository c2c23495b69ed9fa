package io.posbias.report.page;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Judgments;
import io.posbias.evaluate.LazyDataset;
import io.posbias.report.query.Benchmarks;
import io.posbias.result.CellFiles;
import io.posbias.result.FinishedCell;
import io.posbias.result.ResultFolder;
import io.posbias.retrieve.Ranking;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.trec.RunReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Gathers what a page shows of single queries: scores and places from queries.csv, ranks from run.trec.gz, texts from the
 * benchmark.
 */
public final class Drilldowns {
    private final Benchmarks benchmarks;
    private final String measure;
    private final int count;

    /**
     * @param benchmarks where texts come from
     * @param measure which decides what queries are shown
     * @param count how many of each benchmark at most
     */
    public Drilldowns(Benchmarks benchmarks, String measure, int count) {
        this.benchmarks = benchmarks;
        this.measure = measure;
        this.count = count;
    }

    /** One for each benchmark of which a cell has its queries. */
    public List<Drilldown> of(List<CellFiles> cells) {
        Map<String, List<CellFiles>> byDataset = cells.stream()
                .collect(Collectors.groupingBy(
                        cell -> cell.result().dataset(), LinkedHashMap::new, Collectors.toList()));
        benchmarks.refuseOthers(byDataset.keySet());
        List<Drilldown> drilldowns = new ArrayList<>();
        byDataset.forEach((dataset, own) -> {
            List<FinishedCell> complete =
                    own.stream().flatMap(cell -> cell.finished().stream()).toList();
            if (count > 0 && !complete.isEmpty()) {
                drilldowns.add(of(dataset, complete));
            }
        });
        return drilldowns;
    }

    private Drilldown of(String name, List<FinishedCell> cells) {
        List<FinishedCell.Queries> read =
                cells.stream().map(FinishedCell::queries).toList();
        List<SampledQuery> sample = QuerySample.choose(read, measure, count);
        int queries = QuerySample.count(read);
        Benchmarks.Found found = benchmarks.find(name, cells);
        LazyDataset benchmark = found.benchmark();
        if (benchmark == null) {
            benchmarks.say("texts and ranks", name, found.missing());
            return new Drilldown(name, queries, found.missing(), sample);
        }
        Dataset dataset = benchmark.open();
        found.cells().forEach(cell -> addRanks(cell, dataset, sample));
        return new Drilldown(name, queries, null, QueryTexts.added(dataset, sample));
    }

    private static void addRanks(FinishedCell cell, Dataset dataset, List<SampledQuery> sample) {
        Path file = cell.file(ResultFolder.RUN).orElse(null);
        if (file == null) {
            return;
        }
        Run run = RunReader.read(file, dataset).run();
        for (SampledQuery query : sample) {
            Judgments judgments = dataset.qrels().of(query.id());
            if (judgments != null) {
                query.ranks().put(cell.result().model(), rank(run.of(query.id()), judgments));
            }
        }
    }

    private static int rank(Ranking ranking, Judgments judgments) {
        for (int place = 0; place < ranking.size(); place++) {
            if (judgments.grade(ranking.passage(place)) > 0) {
                return place + 1;
            }
        }
        return Drilldown.NOT_FOUND;
    }
}
