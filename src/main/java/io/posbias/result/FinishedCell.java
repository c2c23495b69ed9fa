package io.posbias.result;

import io.posbias.Checksums;
import io.posbias.PosbiasException;
import io.posbias.Printable;
import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Query;
import io.posbias.measure.BucketMean;
import io.posbias.measure.Clustering;
import io.posbias.measure.ContentFixed;
import io.posbias.measure.Measure;
import io.posbias.measure.Profile;
import io.posbias.measure.QueryBuckets;
import io.posbias.measure.Scores;
import io.posbias.measure.ScoresByPlace;
import io.posbias.position.Bucketing;
import io.posbias.position.Strata;
import io.posbias.retrieve.Run;
import io.posbias.retrieve.trec.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A finished cell: its result and, read on demand, the scores of its queries. */
public record FinishedCell(Path folder, Result result) {
    private static final String AGAIN = ": make the cell again with --overwrite";

    /**
     * Reads a cell.
     *
     * @throws UsageException if the cell is not finished
     */
    public static FinishedCell read(Path path) {
        if (!Files.exists(path)) {
            throw new UsageException(path + ": file or folder not found");
        }
        boolean file = path.endsWith(ResultFile.NAME) && Files.isRegularFile(path);
        Path parent = path.getParent();
        Path folder = !file ? path : parent == null ? Path.of("") : parent;
        if (!Files.isRegularFile(folder.resolve(ResultFile.NAME))
                || !Files.isRegularFile(folder.resolve(CsvFiles.QUERIES))) {
            throw unfinished(path);
        }
        Path json = folder.resolve(ResultFile.NAME);
        List<Result> results = ResultFile.read(json);
        if (results.size() != 1) {
            throw new PosbiasException(json + " holds " + results.size() + " results where one was expected");
        }
        return new FinishedCell(folder, results.getFirst());
    }

    private static UsageException unfinished(Path path) {
        return new UsageException(path + " is not a finished cell: result.json or queries.csv is missing");
    }

    /** Returns for example {@code bm25 on demo}. */
    public String name() {
        return result.model() + " on " + result.dataset();
    }

    public Queries queries() {
        QueriesFile file = new QueriesFile(
                QueriesFile.measures(result.settings().measures()),
                Bucketing.parse(result.settings().buckets()));
        file.add(this, "");
        Scores scores = file.scores();
        List<ScoresByPlace> places = places();
        ContentFixed fixed = fixed();
        if (fixed != null && !fixed.method().equals(ContentFixed.OF_BENCHMARK)) {
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
        return new Queries(result, scores, file.placement(result.settings().cluster()), places);
    }

    private @Nullable ContentFixed fixed() {
        return result.profiles().getFirst().contentFixed();
    }

    public Path queriesFile() {
        return file(CsvFiles.QUERIES).orElseThrow(() -> unfinished(folder));
    }

    /**
     * Scores by place of the evidence; empty without them.
     *
     * @throws PosbiasException if the result has other numbers
     */
    public List<ScoresByPlace> places() {
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
                    "holds " + rows.size() + " queries at " + rows.getFirst().scores().length
                            + " places, the result has " + fixed.queries() + " at " + fixed.k());
        }
        if (!BucketMean.isSame(mean, places) || !BucketMean.isSame(observed, fixed.observed())) {
            throw other(
                    PlacesFile.NAME,
                    "gives means of " + mean + " over all places and " + observed
                            + " on passages as they are, the result has " + places + " and " + fixed.observed());
        }
        return rows;
    }

    /**
     * Reads the cell's run, in this or another folder.
     *
     * @param dataset the result's
     * @throws PosbiasException if it gives other means than the result's
     */
    public Run run(Path file, Dataset dataset) {
        Run run = RunReader.read(file, dataset).run();
        List<Measure> measures = QueriesFile.measures(result.settings().measures());
        Scores scores = Scores.of(run.withoutExcluded(dataset), dataset, measures, 1);
        for (int measure = 0; measure < measures.size(); measure++) {
            String name = measures.get(measure).toString();
            Profile profile = result.profile(name, Strata.ALL);
            Double known = profile == null ? null : profile.queryMean();
            double mean = Arrays.stream(scores.of(measure)).average().orElse(0);
            if (known != null && !BucketMean.isSame(mean, known)) {
                throw new PosbiasException(file + " gives a mean " + name + " of " + mean + ", " + ResultFile.NAME
                        + " of " + folder + " has " + known + AGAIN);
            }
        }
        return run;
    }

    /**
     * Returns one of the cell's files if it exists and belongs to the result.
     *
     * @throws PosbiasException if its digest differs from the result's
     */
    public Optional<Path> file(String name) {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file) || !isChecked()) {
            return Optional.of(file).filter(Files::isRegularFile);
        }
        String digest = result.provenance().filesSha256().get(name);
        if (digest != null && !digest.equals(Checksums.sha256(file))) {
            throw other(name, "is not the file that " + ResultFile.NAME + " was written with (SHA-256)");
        }
        return Optional.ofNullable(digest).map(known -> file);
    }

    /** Returns the error about a file that is not the result's. */
    PosbiasException other(String name, String reason) {
        return new PosbiasException(folder.resolve(name) + " " + reason + AGAIN);
    }

    /** Returns true if the result has digests of its files; results of earlier versions have none. */
    public boolean isChecked() {
        return !result.provenance().filesSha256().isEmpty();
    }

    /**
     * Returns the names of missing files.
     *
     * @throws PosbiasException if a file has changed
     */
    public List<String> missing() {
        Collection<String> written =
                isChecked() ? result.provenance().filesSha256().keySet() : List.of(CsvFiles.BUCKETS, CsvFiles.QUERIES);
        return ResultFolder.FILES.stream()
                .filter(written::contains)
                .filter(name -> file(name).isEmpty())
                .toList();
    }

    /** Returns the queries, with other clusters if given. */
    public Queries queries(Clustering.@Nullable By cluster) {
        return cluster == null ? queries() : queries().by(cluster);
    }

    /**
     * Queries of a cell.
     *
     * @param places scores with the evidence at other places; empty if not measured
     */
    public record Queries(Result result, Scores scores, QueryBuckets placement, List<ScoresByPlace> places) {
        public Queries by(Clustering.By cluster) {
            return new Queries(result, scores, placement.by(cluster), places);
        }

        /** Returns queries by index. */
        public Queries at(int[] chosen) {
            Scores some = scores.at(chosen);
            Set<String> ids = some.queries().stream().map(Query::id).collect(Collectors.toSet());
            return new Queries(
                    result,
                    some,
                    placement.at(chosen),
                    places.stream().filter(row -> ids.contains(row.query())).toList());
        }

        /** Returns the queries without buckets. */
        public Queries unbucketed() {
            return new Queries(result, scores, placement.unbucketed(), List.of());
        }

        /** Returns the scores on a measure, or null. */
        public double @Nullable [] of(String measure) {
            List<String> names =
                    scores.measures().stream().map(Measure::toString).toList();
            int place = names.indexOf(measure);
            return place < 0 ? null : scores.of(place);
        }

        /**
         * Returns true if another cell held the content fixed in the same way and has scores by place on the measure, which is
         * the first of both.
         */
        public boolean isPlacedAs(Queries other, String measure) {
            return !places.isEmpty()
                    && !other.places.isEmpty()
                    && Objects.equals(
                            result.settings().contentFixed(),
                            other.result.settings().contentFixed())
                    && Stream.of(this, other)
                            .allMatch(own ->
                                    own.result.settings().measures().getFirst().equals(measure));
        }

        /** Returns the reason why another cell's queries cannot be paired with these; null if they can. */
        @Nullable
        public String unpaired(Queries other) {
            List<Query> own = scores.queries();
            List<Query> others = other.scores.queries();
            if (own.size() != others.size()) {
                return "they hold " + own.size() + " and " + others.size() + " queries";
            }
            for (int query = 0; query < own.size(); query++) {
                String id = own.get(query).id();
                if (!id.equals(others.get(query).id())) {
                    return "query " + id + " of the first is "
                            + others.get(query).id() + " in the second";
                }
                if (!Arrays.equals(placement.bucketsOf(query), other.placement.bucketsOf(query))
                        || !placement.bandOf(query).equals(other.placement.bandOf(query))) {
                    return "query " + id + " is in other buckets";
                }
            }
            return null;
        }
    }
}
