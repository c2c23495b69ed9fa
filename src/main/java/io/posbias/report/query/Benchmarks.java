package io.posbias.report.query;

import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.data.convert.CatalogEntry;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetFiles;
import io.posbias.data.dataset.LazyDataset;
import io.posbias.data.named.DatasetPuller;
import io.posbias.data.named.Datasets;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds local benchmarks of results: in given folders, in the folders that the results name, and in posbias's home. */
public final class Benchmarks {
    private final Map<String, Path> folders = new LinkedHashMap<>();
    private final Datasets datasets;
    private final Session session;

    /**
     * @throws UsageException if a folder is not a benchmark
     */
    public Benchmarks(List<Path> given, Session session) {
        for (Path folder : given) {
            if (!DatasetFiles.isDataset(folder)) {
                throw new UsageException("--texts " + folder + ": the folder holds no benchmark");
            }
            folders.put(DatasetCard.read(folder).name(), folder);
        }
        this.datasets = new Datasets(session);
        this.session = session;
    }

    /** Refuses given folders of benchmarks without a result. */
    public void refuseOthers(Collection<String> wanted) {
        folders.forEach((name, folder) -> {
            if (!wanted.contains(name)) {
                throw new UsageException(
                        "--texts " + folder + " is " + name + "; the results are of " + String.join(", ", wanted));
            }
        });
    }

    /**
     * Outcome of a search.
     *
     * @param benchmark null if no local benchmark has the files of a result
     * @param missing reason for a missing benchmark; else empty
     */
    public record Found(@Nullable LazyDataset benchmark, List<StoredCell> cells, String missing) {}

    /**
     * Finds the benchmark of cells: the first with the files (SHA-256) of one of them. Notes a missing one.
     *
     * @param what is left out without it
     */
    public Found find(String what, String name, List<StoredCell> cells) {
        boolean isLocal = false;
        for (Path folder : (Iterable<Path>) folders(name, cells)::iterator) {
            LazyDataset benchmark =
                    new LazyDataset(DatasetFiles.find(folder).with(handling(cells)), session.progress());
            List<StoredCell> same = cells.stream()
                    .filter(cell -> cell.result().provenance().datasetSha256().equals(benchmark.checksums()))
                    .toList();
            if (!same.isEmpty()) {
                return new Found(benchmark, same, "");
            }
            isLocal = true;
        }
        String missing = isLocal
                ? "the benchmark on this machine has other files than the results"
                : "the benchmark is not on this machine";
        session.say("note: no " + what + " of " + name + ": " + missing + "; --texts FOLDER names it");
        return new Found(null, List.of(), missing);
    }

    /** Returns how cells read a benchmark with judgements of absent passages. */
    private static Map<DatasetCard.Field, String> handling(List<StoredCell> cells) {
        boolean drops = cells.stream().anyMatch(cell -> cell.result().queries().judgements() != null);
        return drops ? Map.of(DatasetCard.Field.MISSING_JUDGED, DatasetCard.DROP) : Map.of();
    }

    Optional<DatasetCard> card(String name, List<StoredCell> cells) {
        Optional<DatasetCard> known = datasets.catalog().find(name).map(CatalogEntry::card);
        return known.isPresent()
                ? known
                : folders(name, cells)
                        .findFirst()
                        .map(DatasetCard::read)
                        .filter(card -> card.name().equals(name));
    }

    private Stream<Path> folders(String name, List<StoredCell> cells) {
        Path given = folders.get(name);
        if (given != null) {
            return Stream.of(given);
        }
        Stream<Path> read = cells.stream()
                .flatMap(cell -> cell.benchmark().stream())
                .filter(DatasetFiles::isDataset)
                .distinct();
        Stream<Path> own = datasets.catalog().find(name).stream()
                .filter(datasets.puller()::isLocal)
                .map(here -> datasets.puller().pull(here, false));
        Stream<Path> hub = DatasetPuller.onHub("hf:" + name).map(datasets.puller()::folder).stream()
                .filter(DatasetFiles::isDataset);
        return Stream.concat(read, Stream.concat(own, hub));
    }
}
