package io.posbias.report.leaderboard;

import io.posbias.UsageException;
import io.posbias.dataset.convert.PosirNames;
import io.posbias.measure.BucketMean;
import io.posbias.measure.Measures;
import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.report.profile.BucketDrop;
import io.posbias.report.profile.ProfileValues;
import io.posbias.result.Result;
import io.posbias.stats.Correlation;
import io.posbias.table.Cell;
import io.posbias.table.Columns;
import io.posbias.table.Grid;
import io.posbias.table.NumberFormat;
import io.posbias.table.Table;
import io.posbias.table.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Shape of a leaderboard's table.
 *
 * @param average true for the plain mean over the benchmarks of a row and column; false for the first benchmark
 */
record Pivot(PivotRows rows, By groups, By columns, List<Stat> values, boolean average) {
    /** Minimum PSI of a model with a star in Table 1 of the SQuAD-PosQ paper. */
    static final double NOTABLE = 0.03;

    private static final String STAR = "*";
    private static final String MMTEB = "MMTEB";

    enum PivotRows {
        /** A row for each model. */
        MODELS,
        /** A row for each model and set, whole or tiny; a star for models with a notable PSI on every benchmark. */
        STARRED_MODELS,
        /** A row for each model and benchmark; of averages, for each model. */
        BENCHMARKS,
        /** A section for all queries and for Q1 to Q3, within and across languages, with a row for each model. */
        ALL_TO_Q3,
        /** Two sections for Q4. */
        Q4;

        private List<String> strata() {
            return this == Q4 ? List.of("Q4") : List.of(Strata.ALL, "Q1", "Q2", "Q3");
        }
    }

    enum By {
        NOTHING,
        VALUE,
        BENCHMARK,
        LANGUAGE,
        /** Within a language, across languages. */
        WAY,
        STRATUM,
        /** Both measures of the ColDeR paper's tables. */
        COLDER_MEASURE;

        private List<Slice> slices(Leaderboard board) {
            return switch (this) {
                case NOTHING, VALUE -> List.of(Slice.ALL);
                case BENCHMARK -> board.columns().stream().map(Slice::benchmark).toList();
                case LANGUAGE ->
                    board.datasets().stream()
                            .sorted()
                            .map(PosirNames::queryLanguage)
                            .distinct()
                            .map(Slice::language)
                            .toList();
                case WAY ->
                    Slice.WAYS.stream()
                            .filter(way -> board.datasets().stream().anyMatch(way.datasets()))
                            .toList();
                case STRATUM ->
                    board.strata().stream()
                            .map(name -> new Slice(name, any -> true, name, null))
                            .toList();
                case COLDER_MEASURE ->
                    Stream.of(Measures.DEFAULT, "R@10")
                            .map(name -> new Slice(name, any -> true, null, name))
                            .toList();
            };
        }
    }

    enum Stat {
        /** The mean of each position bucket. */
        BUCKETS,
        /** Mean over queries; over buckets if a row, as a published one, has no other. */
        MEAN,
        QUERY_MEAN,
        BUCKET_MEAN,
        /** PosIR's average: over queries for all of them, over buckets in a length band. */
        AVERAGE,
        PSI,
        /** Share of the first bucket's mean lost in the worst bucket, and in the last. */
        DROP_TO_WORST,
        DROP_TO_LAST,
        VERDICT,
        /** The plain mean over all benchmarks; none for a model that lacks one. */
        MEAN_OF_ALL,
        /** The model's mean on MMTEB's retrieval tasks, of PosIR's Table 2. */
        ON_MMTEB;

        private boolean isAlone() {
            return this == VERDICT || this == MEAN_OF_ALL || this == ON_MMTEB;
        }
    }

    private record Slice(
            String name,
            Predicate<String> datasets,
            @Nullable String stratum,
            @Nullable String measure) {
        static final Slice ALL = new Slice("", any -> true, null, null);
        static final List<Slice> WAYS = List.of(
                new Slice("multilingual", dataset -> !PosirNames.isCrossLingual(dataset), null, null),
                new Slice("cross-lingual", PosirNames::isCrossLingual, null, null));

        static Slice benchmark(String name) {
            return new Slice(name, name::equals, null, null);
        }

        static Slice language(String name) {
            return new Slice(name, dataset -> PosirNames.queryLanguage(dataset).equals(name), null, null);
        }

        Slice and(Slice other) {
            return new Slice(
                    name,
                    datasets.and(other.datasets),
                    stratum == null ? other.stratum : stratum,
                    measure == null ? other.measure : measure);
        }
    }

    private record PivotRow(LeaderboardRow line, Slice slice) {}

    Table table(Leaderboard given, String title, List<String> notes) {
        Leaderboard board = rows == PivotRows.STARRED_MODELS ? given.merge() : given;
        Columns<PivotRow> table = labels(board);
        addColumns(board, table);
        Grid grid = new Grid();
        if (rows == PivotRows.ALL_TO_Q3 || rows == PivotRows.Q4) {
            addSections(board, table, grid);
        } else {
            board.families().forEach((family, lines) -> {
                grid.heading(family);
                lines.stream().flatMap(this::rows).forEach(row -> grid.add(table.cells(row)));
            });
        }
        if (rows != PivotRows.BENCHMARKS || average) {
            grid.mark();
        }
        if (average && groups != By.WAY) {
            addAgreement(board, grid);
        }
        return table.tableOf(title.formatted(board.measure()), grid.rows(), notes(board, notes));
    }

    private Columns<PivotRow> labels(Leaderboard board) {
        Columns<PivotRow> table = new Columns<>();
        if (rows != PivotRows.STARRED_MODELS) {
            table.label("model", row -> row.line().label());
            return rows == PivotRows.BENCHMARKS
                    ? table.label("dataset", row -> row.slice().name())
                    : table;
        }
        table.label("model", row -> {
            LeaderboardRow line = row.line();
            return isNotable(board, line) ? line.model() + STAR + line.suffix() : line.label();
        });
        return hasTiny(board)
                ? table.label(
                        "set", row -> Leaderboard.isTiny(row.line().results().getFirst()) ? "tiny" : "full")
                : table;
    }

    private Stream<PivotRow> rows(LeaderboardRow line) {
        if (rows != PivotRows.BENCHMARKS) {
            return Stream.of(new PivotRow(line, Slice.ALL));
        }
        return average
                ? Stream.of(new PivotRow(
                        line, new Slice("mean of " + line.datasets().count(), any -> true, null, null)))
                : line.datasets().map(dataset -> new PivotRow(line, Slice.benchmark(dataset)));
    }

    private void addSections(Leaderboard board, Columns<PivotRow> table, Grid grid) {
        for (String stratum : rows.strata()) {
            for (Slice way : Slice.WAYS) {
                Slice slice = new Slice(way.name(), way.datasets(), stratum, null);
                List<LeaderboardRow> lines = board.lines()
                        .filter(line -> !profiles(board, line.results(), slice).isEmpty())
                        .toList();
                if (!lines.isEmpty()) {
                    String queries = stratum.equals(Strata.ALL) ? "all lengths" : stratum;
                    grid.heading(queries + ", " + way.name() + " retrieval");
                    lines.forEach(line -> grid.add(table.cells(new PivotRow(line, slice))));
                    grid.mark();
                }
            }
        }
        if (grid.rows().isEmpty()) {
            throw new UsageException(
                    "no result has the bands of length that this layout shows: " + String.join(", ", rows.strata()));
        }
    }

    private void addColumns(Leaderboard board, Columns<PivotRow> table) {
        if (columns == By.VALUE) {
            for (Slice group : groups.slices(board)) {
                table.under(group.name());
                boolean hasPositions = !values.contains(Stat.BUCKETS) || hasBuckets(board, group);
                (hasPositions ? values : List.of(Stat.QUERY_MEAN)).forEach(stat -> add(board, table, group, stat));
            }
            return;
        }
        for (Stat stat : values) {
            if (stat.isAlone()) {
                add(board, table.under(""), Slice.ALL, stat);
                continue;
            }
            for (Slice group : groups.slices(board)) {
                String value = stat == Stat.PSI ? "PSI" : board.measure();
                table.under(groups == By.VALUE ? value : group.name());
                columns.slices(board)
                        .forEach(column -> table.text(column.name(), row -> cell(board, row, column.and(group), stat)));
            }
        }
    }

    private void add(Leaderboard board, Columns<PivotRow> table, Slice slice, Stat stat) {
        switch (stat) {
            case BUCKETS ->
                sample(board, slice).buckets().forEach(bucket -> {
                    String name = bucket.bucket();
                    table.text(name, row -> points(board, row, slice, profile -> ProfileValues.mean(profile, name)));
                });
            case MEAN -> {
                boolean overQueries = profilesOf(board, slice).allMatch(profile -> profile.queryMean() != null);
                table.text(
                        overQueries ? "query mean" : "bucket mean",
                        row -> cell(board, row, slice, overQueries ? Stat.QUERY_MEAN : Stat.BUCKET_MEAN));
            }
            case VERDICT -> {
                if (board.hasVerdicts()) {
                    table.text("verdict", row -> cell(board, row, slice, stat));
                }
            }
            default -> table.text(header(board, stat), row -> cell(board, row, slice, stat));
        }
    }

    private static String header(Leaderboard board, Stat stat) {
        return switch (stat) {
            case QUERY_MEAN -> "query mean";
            case BUCKET_MEAN -> "mean";
            case PSI -> "PSI";
            case DROP_TO_WORST -> "drop to worst";
            case DROP_TO_LAST -> "drop to last";
            case MEAN_OF_ALL -> "average";
            case ON_MMTEB -> MMTEB;
            default -> board.measure();
        };
    }

    private Cell cell(Leaderboard board, PivotRow row, Slice column, Stat stat) {
        return switch (stat) {
            case QUERY_MEAN -> points(board, row, column, ProfileValues::queryMean);
            case BUCKET_MEAN -> points(board, row, column, ProfileValues::bucketMean);
            case PSI ->
                board.psi(row.line(), cells -> value(board, cells, column.and(row.slice()), ProfileValues::psi));
            case DROP_TO_WORST -> drop(board, row, column, BucketDrop::toWorst);
            case DROP_TO_LAST -> drop(board, row, column, BucketDrop::toLast);
            case VERDICT -> verdict(board, row, column);
            case MEAN_OF_ALL -> board.points(row.line(), cells -> meanOfAll(board, cells));
            case ON_MMTEB ->
                Cell.points(
                        Value.of(row.line().isDifference() ? null : onMmteb().get(nameAtMmteb(row.line()))),
                        false,
                        board.digits());
            default -> points(board, row, column, ProfileValues::average);
        };
    }

    private Cell points(Leaderboard board, PivotRow row, Slice column, Function<Profile, Value> number) {
        return board.points(row.line(), cells -> value(board, cells, column.and(row.slice()), number));
    }

    private Cell drop(Leaderboard board, PivotRow row, Slice column, Function<BucketDrop, Double> part) {
        return board.drop(
                row.line(),
                cells -> value(board, cells, column.and(row.slice()), profile -> {
                    BucketDrop drop = BucketDrop.of(profile.buckets(), BucketMean::mean);
                    return drop == null ? Value.NONE : Value.of(part.apply(drop));
                }));
    }

    private Cell verdict(Leaderboard board, PivotRow row, Slice column) {
        if (row.line().isDifference()) {
            return Cell.word("");
        }
        List<Profile> profiles = profiles(board, row.line().results(), column.and(row.slice()));
        return ProfileValues.verdict(profiles.isEmpty() ? null : profiles.getFirst());
    }

    private Value value(Leaderboard board, List<Result> cells, Slice slice, Function<Profile, Value> number) {
        List<Profile> profiles = profiles(board, cells, slice);
        return profiles.size() == 1 ? number.apply(profiles.getFirst()) : mean(profiles, number);
    }

    private static Value mean(List<Profile> profiles, Function<Profile, Value> number) {
        return Value.of(ProfileValues.mean(
                        profiles, profile -> number.apply(profile).value()))
                .of(ProfileValues.sample(profiles));
    }

    private static Value meanOfAll(Leaderboard board, List<Result> cells) {
        Pivot all = new Pivot(PivotRows.MODELS, By.NOTHING, By.VALUE, List.of(), true);
        List<Profile> profiles = all.profiles(board, cells, Slice.ALL);
        return profiles.size() < board.datasets().size() ? Value.NONE : mean(profiles, ProfileValues::queryMean);
    }

    private List<Profile> profiles(Leaderboard board, List<Result> cells, Slice slice) {
        Map<String, Profile> profiles = new LinkedHashMap<>();
        for (Result cell : cells) {
            if (slice.datasets().test(board.column(cell))) {
                Profile profile = cell.profile(
                        Objects.requireNonNullElse(slice.measure(), board.measure()),
                        Objects.requireNonNullElse(slice.stratum(), Strata.ALL));
                if (profile == null && average) {
                    return List.of();
                }
                if (profile != null) {
                    profiles.putIfAbsent(cell.dataset(), profile);
                }
            }
        }
        return profiles.values().stream().limit(average ? Long.MAX_VALUE : 1).toList();
    }

    private static Stream<Profile> profilesOf(Leaderboard board, Slice slice) {
        return board.results().stream()
                .filter(result -> slice.datasets().test(board.column(result)))
                .map(result -> all(board, result));
    }

    private static Profile sample(Leaderboard board, Slice slice) {
        return profilesOf(board, slice).findFirst().orElseThrow();
    }

    private static boolean hasBuckets(Leaderboard board, Slice slice) {
        return !sample(board, slice).buckets().isEmpty();
    }

    private static Profile all(Leaderboard board, Result result) {
        return Objects.requireNonNull(result.profile(board.measure(), Strata.ALL), "every result has the stratum all");
    }

    private static boolean hasTiny(Leaderboard board) {
        return board.results().stream().anyMatch(Leaderboard::isTiny);
    }

    private static boolean isNotable(Leaderboard board, LeaderboardRow line) {
        List<Double> values = line.results().stream()
                .map(cell -> all(board, cell).psi().value())
                .filter(Objects::nonNull)
                .map(psi -> Double.valueOf(NumberFormat.FRACTION.print(psi)))
                .toList();
        return !line.isDifference() && !values.isEmpty() && values.stream().allMatch(psi -> psi >= NOTABLE);
    }

    private List<String> notes(Leaderboard board, List<String> more) {
        List<String> notes = new ArrayList<>();
        if (values.contains(Stat.BUCKETS)) {
            ProfileValues.thinNote(board.results().stream().map(result -> all(board, result)), "few")
                    .ifPresent(notes::add);
            groups.slices(board).stream()
                    .filter(benchmark -> !hasBuckets(board, benchmark))
                    .map(benchmark -> benchmark.name() + ": no evidence positions, so no buckets and no PSI")
                    .forEach(notes::add);
        }
        if (rows == PivotRows.STARRED_MODELS && hasTiny(board)) {
            notes.add("tiny: on the subset of the benchmark whose name ends in " + Leaderboard.TINY);
        }
        notes.addAll(more);
        if (average) {
            groups.slices(board).forEach(group -> noteGaps(board, group.datasets(), notes));
        }
        return notes;
    }

    private static void noteGaps(Leaderboard board, Predicate<String> datasets, List<String> notes) {
        long all = board.datasets().stream().filter(datasets).count();
        board.lines().filter(line -> !line.isDifference()).forEach(line -> {
            long covered = line.datasets().filter(datasets).count();
            if (covered > 0 && covered < all) {
                notes.add(line.label() + " covers " + covered + " of " + all + " datasets");
            }
        });
    }

    private static Map<String, Double> onMmteb() {
        return Paper.mmteb().stream()
                .collect(Collectors.toMap(
                        Result::model,
                        result -> Objects.requireNonNull(
                                result.profiles().getFirst().queryMean())));
    }

    private static String nameAtMmteb(LeaderboardRow line) {
        return Paper.POSIR.nameOf(line.results().getFirst());
    }

    private void addAgreement(Leaderboard board, Grid grid) {
        Map<String, Double> mmteb = onMmteb();
        Map<String, LeaderboardRow> known = new LinkedHashMap<>();
        board.lines()
                .filter(line -> !line.isDifference() && mmteb.containsKey(nameAtMmteb(line)))
                .forEach(line -> known.putIfAbsent(nameAtMmteb(line), line));
        if (known.size() < 3) {
            return;
        }
        double[] reference = known.keySet().stream().mapToDouble(mmteb::get).toArray();
        List<String> rho = new ArrayList<>(List.of("Spearman's rho", "with " + MMTEB));
        List<String> p = new ArrayList<>(List.of("p-value", ""));
        for (Slice stratum : By.STRATUM.slices(board)) {
            double[] own = known.values().stream()
                    .map(line -> value(board, line.results(), stratum, ProfileValues::average)
                            .value())
                    .mapToDouble(value -> value == null ? Double.NaN : value)
                    .toArray();
            Correlation correlation = Correlation.spearman(reference, own);
            rho.add(NumberFormat.FRACTION.print(correlation.coefficient()));
            p.add(NumberFormat.P.print(correlation.pValue()));
        }
        grid.heading("Agreement with " + MMTEB);
        grid.text(rho);
        grid.text(p);
    }
}
