package io.posbias.report.page;

import io.posbias.Session;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetCard;
import io.posbias.dataset.DatasetFiles;
import io.posbias.dataset.Judgments;
import io.posbias.evaluate.Datasets;
import io.posbias.evaluate.LazyDataset;
import io.posbias.result.CellFiles;
import io.posbias.result.FinishedCell;
import io.posbias.result.ResultFolder;
import io.posbias.retrieve.Ranking;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.trec.RunReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gathers what a page shows of single queries: scores and places from queries.csv, ranks from run.trec.gz, texts from the
 * benchmark. A benchmark is looked for among the folders that were given, where results read it, and where posbias keeps
 * its own; none is fetched.
 */
public final class Drilldowns {
    private final Map<String, Path> folders = new LinkedHashMap<>();
    private final Datasets datasets;
    private final String measure;
    private final int count;
    private final Session session;

    /**
     * @param given folders of benchmarks
     * @param measure which decides what queries are shown
     * @param count how many of each benchmark at most
     * @throws UsageException if a folder is no benchmark
     */
    public Drilldowns(List<Path> given, String measure, int count, Session session) {
        for (Path folder : given) {
            if (!DatasetFiles.isDataset(folder)) {
                throw new UsageException("--texts " + folder + ": the folder holds no benchmark");
            }
            folders.put(DatasetCard.read(folder).name(), folder);
        }
        this.datasets = new Datasets(session);
        this.measure = measure;
        this.count = count;
        this.session = session;
    }

    /** One for each benchmark of which a cell has its queries. */
    public List<Drilldown> of(List<CellFiles> cells) {
        Map<String, List<CellFiles>> byDataset = cells.stream()
                .collect(Collectors.groupingBy(
                        cell -> cell.result().dataset(), LinkedHashMap::new, Collectors.toList()));
        refuseOthers(byDataset.keySet());
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

    private void refuseOthers(Collection<String> wanted) {
        folders.forEach((name, folder) -> {
            if (!wanted.contains(name)) {
                throw new UsageException(
                        "--texts " + folder + " is " + name + "; the results are of " + String.join(", ", wanted));
            }
        });
    }

    private Drilldown of(String name, List<FinishedCell> cells) {
        List<FinishedCell.Queries> read =
                cells.stream().map(FinishedCell::queries).toList();
        List<SampledQuery> sample = QuerySample.choose(read, measure, count);
        int queries = QuerySample.count(read);
        boolean isHere = false;
        for (Path folder : (Iterable<Path>) folders(name, cells)::iterator) {
            LazyDataset benchmark = new LazyDataset(folder, session.progress());
            List<FinishedCell> same = cells.stream()
                    .filter(cell -> cell.result().datasetSha256().equals(benchmark.checksums()))
                    .toList();
            if (!same.isEmpty()) {
                Dataset dataset = benchmark.open();
                same.forEach(cell -> addRanks(cell, dataset, sample));
                return new Drilldown(name, queries, null, QueryTexts.added(dataset, sample));
            }
            isHere = true;
        }
        return without(
                name,
                queries,
                sample,
                isHere
                        ? "the benchmark on this machine has other files than the results"
                        : "the benchmark is not on this machine");
    }

    private Drilldown without(String name, int queries, List<SampledQuery> sample, String reason) {
        session.say("note: no texts and ranks of " + name + ": " + reason + "; --texts FOLDER names it");
        return new Drilldown(name, queries, reason, sample);
    }

    /** Where a benchmark may be: as given; else where results read it, then where posbias keeps its own. Never fetched. */
    private Stream<Path> folders(String name, List<FinishedCell> cells) {
        Path given = folders.get(name);
        if (given != null) {
            return Stream.of(given);
        }
        Stream<Path> read = cells.stream()
                .flatMap(cell -> cell.result().benchmark(cell.folder()).stream())
                .filter(DatasetFiles::isDataset)
                .distinct();
        Stream<Path> own = datasets.catalog().find(name).stream()
                .filter(datasets.puller()::isHere)
                .map(here -> datasets.puller().pull(here, false));
        return Stream.concat(read, own);
    }

    private static void addRanks(FinishedCell cell, Dataset dataset, List<SampledQuery> sample) {
        Path file = cell.file(ResultFolder.RUN).orElse(null);
        if (file == null) {
            return;
        }
        int threads = Runtime.getRuntime().availableProcessors();
        Run run = RunReader.read(file, dataset, threads).run();
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
