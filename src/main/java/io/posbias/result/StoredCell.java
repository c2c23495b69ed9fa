package io.posbias.result;

import io.posbias.Checksums;
import io.posbias.PosbiasException;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.measure.Clustering;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.ScoresByPlace;
import io.posbias.measure.SearchFacts;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.trec.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A result on disk, and the files beside it.
 *
 * @param folder null if the file contains several results, so that other files are ambiguous
 */
public record StoredCell(Result result, @Nullable Path folder) {
    /**
     * Reads a cell.
     *
     * @param path of its folder or of result.json
     * @throws UsageException without result.json or queries.csv
     */
    public static StoredCell read(Path path) {
        if (!Files.exists(path)) {
            throw new UsageException(path + ": file or folder not found");
        }
        boolean isFile = path.endsWith(ResultFile.NAME) && Files.isRegularFile(path);
        Path parent = path.getParent();
        ResultFolder folder = new ResultFolder(!isFile ? path : parent == null ? Path.of("") : parent);
        return folder.cell()
                .filter(StoredCell::hasQueries)
                .orElseThrow(() -> new UsageException(path + " is not a finished cell: " + ResultFile.NAME + " or "
                        + CsvFiles.QUERIES + " is missing"));
    }

    /** Says that findings are not written, as others would be lost. */
    public static final String NOT_WRITTEN =
            "not written (--overwrite replaces the files there, another --results keeps both)";

    /** Says that nothing was to be done. */
    public String finishedBefore() {
        return name() + ": finished before, see " + folder + " (--overwrite computes it again)";
    }

    /** Returns for example {@code bm25 on demo}. */
    public String name() {
        return result.model() + " on " + result.dataset();
    }

    /** Returns the benchmark's folder at evaluation; empty if unknown, or kept by posbias. */
    public Optional<Path> benchmark() {
        return Optional.ofNullable(folder).flatMap(result::benchmark);
    }

    public boolean hasQueries() {
        return folder != null && Files.isRegularFile(folder.resolve(CsvFiles.QUERIES));
    }

    /** Reads the scores of the queries. */
    public CellQueries queries() {
        QueriesFile file = new QueriesFile(result.settings());
        file.add(queriesFile(), "");
        return new CellQueries(result, file.scores(), file.placement(), file.facts(result.retrieval()), places());
    }

    /** Returns the queries, with other clusters if given. */
    public CellQueries queries(Clustering.@Nullable By cluster) {
        return cluster == null ? queries() : queries().by(cluster);
    }

    /** Scores by place of the evidence; empty without them. */
    public List<ScoresByPlace> places() {
        return file(PlacesFile.NAME).map(PlacesFile::read).orElse(List.of());
    }

    /**
     * Returns a file beside the result, if it was written with it and exists. Results of earlier versions have no digests.
     *
     * @throws PosbiasException if its digest differs from the result's
     */
    public Optional<Path> file(String name) {
        Map<String, String> digests = result.provenance().filesSha256();
        String digest = digests.get(name);
        Path file = folder == null ? null : folder.resolve(name);
        if (file == null || !Files.isRegularFile(file) || (digest == null && !digests.isEmpty())) {
            return Optional.empty();
        }
        if (digest != null && !digest.equals(Checksums.sha256(file))) {
            throw new PosbiasException(file + " is not the file that " + ResultFile.NAME
                    + " was written with (SHA-256): make the cell again with --overwrite");
        }
        return Optional.of(file);
    }

    /** Reads the run. */
    public Run run(Dataset dataset) {
        return RunReader.read(required(ResultFolder.RUN), dataset).run();
    }

    /** Returns the method of placing the evidence; empty without content-fixed findings. */
    public String method() {
        ContentFixed fixed = result.profiles().getFirst().contentFixed();
        return fixed == null ? "" : fixed.method();
    }

    /**
     * Returns true if the run and the facts of its search are stored; earlier versions kept only their counts.
     *
     * @param placed true if scores with the content held fixed belong to the run
     * @throws PosbiasException if a file was changed
     */
    public boolean hasRun(boolean placed) {
        return !result.provenance().filesSha256().isEmpty()
                && file(ResultFolder.RUN).isPresent()
                && (!placed || file(PlacesFile.NAME).isPresent())
                && (result.retrieval().isPlain() || (file(CsvFiles.QUERIES).isPresent() && hasFacts()));
    }

    private boolean hasFacts() {
        CellQueries own = queries();
        return result.retrieval().in(own.facts(), own.placement()).equals(result.retrieval());
    }

    /** Returns the facts of the search. */
    public SearchFacts facts() {
        return result.retrieval().isPlain() ? SearchFacts.NONE : queries().facts();
    }

    public Path queriesFile() {
        return required(CsvFiles.QUERIES);
    }

    private Path required(String name) {
        return file(name)
                .orElseThrow(() -> new UsageException(folder + " lacks " + name + ", which " + ResultFile.NAME
                        + " was written with: make the cell again with --overwrite"));
    }

    /**
     * Returns the names of files that were written with the result and are missing.
     *
     * @throws PosbiasException if one was changed
     */
    public List<String> missing() {
        return result.provenance().filesSha256().keySet().stream()
                .filter(name -> file(name).isEmpty())
                .toList();
    }
}
