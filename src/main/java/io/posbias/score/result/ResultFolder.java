package io.posbias.score.result;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.rank.Run;
import io.posbias.rank.trec.TrecRunWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Folder of one cell: {@code run.trec.gz}, {@code queries.csv}, {@code buckets.csv}, optionally {@code
 * content-fixed.csv}, and {@code result.json}, which is written last and contains the digests of the others.
 */
public record ResultFolder(Path path) {
    public static final String RUN = "run.trec.gz";

    static final List<String> FILES = List.of(RUN, CsvFiles.QUERIES, CsvFiles.BUCKETS, PlacesFile.NAME);

    /** Default folder of cells. */
    public static final Path ROOT = Path.of("results");

    /**
     * Returns the folder of a cell.
     *
     * @throws PosbiasException if a name leads out of {@code root}
     */
    public static Path of(Path root, String dataset, String model) {
        return FileNames.directlyIn(FileNames.inside(root, dataset), model);
    }

    /**
     * Returns the cell in the folder; empty without a result.
     *
     * @throws PosbiasException if result.json holds several results
     */
    public Optional<StoredCell> cell() {
        Path file = file();
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<Result> results = ResultFile.read(file);
        if (results.size() != 1) {
            throw new PosbiasException(file + " holds " + results.size() + " results where one was expected");
        }
        return Optional.of(new StoredCell(results.getFirst(), path));
    }

    /**
     * Returns the cell in the folder, unless its run is another one.
     *
     * @throws PosbiasException if the cell has another run, which must not be replaced
     */
    public Optional<StoredCell> cell(RunKey wanted) {
        difference(wanted).ifPresent(difference -> {
            throw otherwise(difference);
        });
        return cell();
    }

    /** Describes how the cell's run differs from the wanted one; empty if it is the same, or without a cell. */
    public Optional<String> difference(RunKey wanted) {
        return cell().map(own -> String.join("; ", RunKey.of(own.result()).differences(wanted)))
                .filter(differences -> !differences.isEmpty());
    }

    /** Returns the error about a result that must not be replaced. */
    public PosbiasException otherwise(String reason) {
        return ModelFolders.other(path, reason);
    }

    public boolean isFinished() {
        return Files.exists(path.resolve(ResultFile.NAME));
    }

    /** Returns result.json, after what a killed process left under way is finished. */
    private Path file() {
        Path file = path.resolve(ResultFile.NAME);
        if (!Files.exists(file)) {
            Staging.finish(path);
        }
        return file;
    }

    /** Returns the digest of the result; empty without one. */
    public String seal() {
        Path file = file();
        return Files.exists(file) ? Checksums.sha256(file) : "";
    }

    /** Locks the folder against other processes until it is closed, waiting for one that is writing it. */
    public Staging staging(Session session) {
        return Staging.within(path, session);
    }

    /**
     * Replaces a result while the folder is locked.
     *
     * @param seal of the result that was read; null for any
     * @return empty if another process has replaced it meanwhile: nothing was written
     */
    public <T> Optional<T> replace(@Nullable String seal, Session session, Function<Staging, T> writer) {
        try (Staging staging = staging(session)) {
            return seal == null || seal.equals(seal()) ? Optional.of(writer.apply(staging)) : Optional.empty();
        }
    }

    /** Returns true if a process is writing the folder. */
    public boolean isBeingWritten() {
        return Staging.isWithin(path);
    }

    /**
     * Writes all files of a cell or none.
     *
     * @param run null to keep the run and the content-fixed scores in the folder
     * @return the result with the digests of its files
     */
    public static Result write(Staging staging, CellQueries cell, @Nullable Run run, int threads) {
        Path folder = staging.folder();
        Map<String, String> digests = new TreeMap<>();
        if (run == null) {
            cell.result().provenance().filesSha256().forEach((name, digest) -> {
                if (name.equals(RUN)
                        || (name.equals(PlacesFile.NAME) && !cell.places().isEmpty())) {
                    digests.put(name, digest);
                }
            });
        } else {
            TrecRunWriter.write(folder.resolve(RUN), run, cell.result().model(), threads);
            if (!cell.places().isEmpty()) {
                PlacesFile.write(folder.resolve(PlacesFile.NAME), cell.places());
            }
        }
        CsvFiles.writeQueries(folder.resolve(CsvFiles.QUERIES), cell);
        CsvFiles.writeBuckets(folder.resolve(CsvFiles.BUCKETS), cell.result());
        for (String name : FILES) {
            Path file = folder.resolve(name);
            if (Files.exists(file)) {
                digests.put(name, Checksums.sha256(file));
            }
        }
        Result sealed = cell.result().withFiles(digests);
        ResultFile.write(folder.resolve(ResultFile.NAME), List.of(sealed));
        staging.commitFiles(ResultFile.NAME);
        staging.keeps("finished results");
        return sealed;
    }
}
