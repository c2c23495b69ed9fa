package io.posbias.score.result;

import io.posbias.base.files.Checksums;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.Query;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.SearchFacts;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.SettingsFields;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A result on disk, and the files beside it.
 *
 * @param folder null if the file contains several results, so that other files are ambiguous
 */
public record StoredCell(Result result, @Nullable Path folder) {
    private static final String AGAIN = ": make the cell again with --overwrite";

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

    /** Says that nothing was to be done. */
    public String finishedBefore() {
        return name() + ": finished before, see " + folder + " (--overwrite computes it again)";
    }

    /**
     * Returns true if findings are those of the cell, and no file is missing.
     *
     * @throws PosbiasException if a file was changed
     */
    public boolean holds(Result findings) {
        return missing().isEmpty() && findings.isSame(result);
    }

    /** Says why the cell does not have the findings of settings. */
    public String why(Settings asked) {
        List<String> reasons = new ArrayList<>(SettingsFields.differences(asked, result.settings()));
        missing().forEach(name -> reasons.add(name + " is missing"));
        if (reasons.isEmpty()) {
            reasons.add("made by an earlier version of posbias");
        }
        return name() + ": " + String.join("; ", reasons);
    }

    /** Says why findings are replaced, with the headline number of both if the settings differ. */
    public String replacedBy(Result findings) {
        String why = why(findings.settings());
        return findings.settings().equals(result.settings())
                ? why
                : why + "; " + headline(result) + " -> " + headline(findings);
    }

    private static String headline(Result result) {
        Profile profile = result.profiles().getFirst();
        Double psi = profile.psi().value();
        return psi == null
                ? profile.measure() + " " + NumberFormat.POINTS.print(profile.queryMean())
                : "PSI of " + profile.measure() + " " + NumberFormat.FRACTION.print(psi);
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

    /**
     * Reads the scores of the queries.
     *
     * @throws PosbiasException if the result has other numbers
     */
    public CellQueries queries() {
        QueriesFile file = new QueriesFile(result.settings());
        file.add(this, "");
        Scores scores = file.scores();
        List<ScoresByPlace> places = places();
        if (!method().isEmpty() && !method().equals(ContentFixed.OF_BENCHMARK)) {
            Set<String> ids = scores.queries().stream().map(Query::id).collect(Collectors.toSet());
            places.stream()
                    .filter(row -> !ids.contains(row.query()))
                    .findFirst()
                    .ifPresent(row -> {
                        throw other(
                                PlacesFile.NAME,
                                "names query " + Printable.quoted(row.query()) + ", which is not in "
                                        + CsvFiles.QUERIES);
                    });
        }
        return new CellQueries(result, scores, file.placement(), file.facts(result.retrieval()), places);
    }

    /** Returns the queries, with other clusters if given. */
    public CellQueries queries(Clustering.@Nullable By cluster) {
        return cluster == null ? queries() : queries().by(cluster);
    }

    /** Returns true if scores by place belong to the run. */
    public boolean hasPlaces() {
        return file(PlacesFile.NAME).isPresent();
    }

    /** Scores by place of the evidence, of the first measure; empty without them. */
    public List<ScoresByPlace> places() {
        return result.settings().contentFixed() == null ? List.of() : kept();
    }

    /**
     * Scores by place of the evidence that belong to the run, of whatever measure; empty without them.
     *
     * @throws PosbiasException if the result has other numbers
     */
    public List<ScoresByPlace> kept() {
        List<ScoresByPlace> rows = file(PlacesFile.NAME).map(PlacesFile::read).orElse(List.of());
        ContentFixed fixed = fixed();
        if (rows.isEmpty() || fixed == null) {
            return rows;
        }
        // The controls of the fit move no mean over all places.
        double mean = rows.stream()
                .flatMapToDouble(row -> Arrays.stream(row.scores()))
                .average()
                .orElseThrow();
        double places = fixed.places().stream()
                .mapToDouble(ContentFixed.Place::mean)
                .average()
                .orElse(0);
        double observed =
                rows.stream().mapToDouble(ScoresByPlace::observed).average().orElseThrow();
        if (rows.size() != fixed.queries() || rows.getFirst().scores().length != fixed.k()) {
            throw other(
                    PlacesFile.NAME,
                    "holds " + Plural.of(rows.size(), "query") + " at "
                            + rows.getFirst().scores().length + " places, the result has " + fixed.queries() + " at "
                            + fixed.k());
        }
        if (!BucketMean.isSame(mean, places) || !BucketMean.isSame(observed, fixed.observed())) {
            throw other(
                    PlacesFile.NAME,
                    "gives means of " + mean + " over all places and " + observed
                            + " on passages as they are, the result has " + places + " and " + fixed.observed());
        }
        return rows;
    }

    private @Nullable ContentFixed fixed() {
        return result.profiles().getFirst().contentFixed();
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
            throw other(name, "is not the file that " + ResultFile.NAME + " was written with (SHA-256)");
        }
        return Optional.of(file);
    }

    PosbiasException other(String name, String reason) {
        return new PosbiasException((folder == null ? name : folder.resolve(name)) + " " + reason + AGAIN);
    }

    private String method() {
        ContentFixed fixed = fixed();
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

    public SearchFacts facts() {
        return result.retrieval().isPlain() ? SearchFacts.NONE : queries().facts();
    }

    public Path queriesFile() {
        return required(CsvFiles.QUERIES);
    }

    Path required(String name) {
        return file(name)
                .orElseThrow(() -> new UsageException(
                        folder + " lacks " + name + ", which " + ResultFile.NAME + " was written with" + AGAIN));
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
