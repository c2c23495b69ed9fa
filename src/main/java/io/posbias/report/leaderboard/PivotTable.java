package io.posbias.report.leaderboard;

import io.posbias.base.process.UsageException;
import io.posbias.base.stats.Correlation;
import io.posbias.base.table.Cell;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Grid;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Standing;
import io.posbias.base.table.Table;
import io.posbias.base.table.Value;
import io.posbias.base.text.Plural;
import io.posbias.data.convert.PosirNames;
import io.posbias.data.position.Strata;
import io.posbias.report.leaderboard.PairwiseTests.Tested;
import io.posbias.report.leaderboard.Pivot.By;
import io.posbias.report.leaderboard.Pivot.Rows;
import io.posbias.report.leaderboard.Pivot.Stat;
import io.posbias.report.profile.BucketDrop;
import io.posbias.report.profile.ProfileValues;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Table of a leaderboard in the shape of a {@link Pivot}. */
final class PivotTable {
    private static final String STAR = "*";

    private final Pivot pivot;
    private final @Nullable Published published;
    private final Leaderboard board;
    private final PairwiseTests tests;

    /** Letters of models; empty for a table without letters. */
    private final Map<String, String> letters;

    /** Means of the reference by name of the model; empty without one. */
    private final Map<String, Double> reference;

    /** @param published names models for the reference; null for their own names */
    PivotTable(Pivot pivot, @Nullable Published published, Leaderboard given, PairwiseTests tests) {
        this.pivot = pivot;
        this.published = published;
        this.board = pivot.tiny() ? given.merge() : given;
        this.tests = tests;
        this.letters = hasLetters() ? letters(board) : Map.of();
        this.reference = pivot.reference() == null
                ? Map.of()
                : pivot.reference().file().results().stream()
                        .collect(Collectors.toMap(
                                Result::model,
                                result -> Objects.requireNonNull(
                                        result.profiles().getFirst().queryMean())));
    }

    /** Letters are beside the query mean and PSI of one benchmark each. */
    private boolean hasLetters() {
        return tests.shown().hasLetters()
                && pivot.rows() == Rows.MODELS
                && pivot.columns() == By.VALUE
                && !pivot.average()
                && pivot.values().stream().anyMatch(Set.of(Stat.MEAN, Stat.QUERY_MEAN, Stat.PSI)::contains)
                && board.datasets().stream().anyMatch(tests::has);
    }

    private static Map<String, String> letters(Leaderboard board) {
        Map<String, String> letters = new LinkedHashMap<>();
        board.lines()
                .filter(LeaderboardRow::isOwn)
                .forEach(line -> letters.putIfAbsent(line.model(), Standing.letter(letters.size())));
        return letters;
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

    private List<Slice> slices(By by) {
        return switch (by) {
            case NOTHING, VALUE -> List.of(Slice.ALL);
            case DATASET -> board.columns().stream().map(Slice::benchmark).toList();
            case LANGUAGE ->
                board.datasets().stream()
                        .sorted()
                        .map(PosirNames::queryLanguage)
                        .distinct()
                        .map(Slice::language)
                        .toList();
            case RETRIEVAL ->
                Slice.WAYS.stream()
                        .filter(way -> board.datasets().stream().anyMatch(way.datasets()))
                        .toList();
            case LENGTH ->
                board.strata().stream()
                        .map(name -> new Slice(name, any -> true, name, null))
                        .toList();
            case MEASURE ->
                pivot.measures().stream()
                        .map(name -> new Slice(name, any -> true, null, name))
                        .toList();
        };
    }

    private record PivotRow(LeaderboardRow line, Slice slice) {}

    Table table(String title, List<String> notes) {
        Columns<PivotRow> table = labels();
        addColumns(table);
        Grid grid = new Grid();
        if (!pivot.sections().isEmpty()) {
            addSections(table, grid);
        } else {
            board.groups().forEach((family, lines) -> {
                grid.heading(family);
                lines.stream().flatMap(this::rows).forEach(row -> grid.add(table.cells(row)));
            });
        }
        if (pivot.rows() != Rows.DATASETS || pivot.average()) {
            grid.mark();
        }
        addAgreement(grid);
        Table made = table.tableOf(title, grid.rows(), notes(notes));
        return made.noted(legend(grid, made.flatHeader()));
    }

    private Columns<PivotRow> labels() {
        Columns<PivotRow> table = new Columns<PivotRow>().label("model", row -> {
            LeaderboardRow line = row.line();
            String letter = line.isOwn() ? letters.getOrDefault(line.model(), "") : "";
            return (letter.isEmpty() ? "" : letter + " ")
                    + (isNotable(line) ? line.model() + STAR + line.suffix() : line.label());
        });
        if (pivot.rows() == Rows.DATASETS) {
            table.label("dataset", row -> row.slice().name());
        } else if (hasTiny()) {
            table.label("set", row -> Leaderboard.isTiny(row.line().results().getFirst()) ? "tiny" : "full");
        }
        return table;
    }

    private Stream<PivotRow> rows(LeaderboardRow line) {
        if (pivot.rows() != Rows.DATASETS) {
            return Stream.of(new PivotRow(line, Slice.ALL));
        }
        return pivot.average()
                ? Stream.of(new PivotRow(
                        line, new Slice("mean of " + line.datasets().count(), any -> true, null, null)))
                : line.datasets().map(dataset -> new PivotRow(line, Slice.benchmark(dataset)));
    }

    private void addSections(Columns<PivotRow> table, Grid grid) {
        for (String stratum : pivot.sections()) {
            for (Slice way : Slice.WAYS) {
                Slice slice = new Slice(way.name(), way.datasets(), stratum, null);
                List<LeaderboardRow> lines = board.lines()
                        .filter(line ->
                                !known(allProfiles(line.results(), slice)).isEmpty())
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
                    "no result has the bands of length that this layout shows: " + String.join(", ", pivot.sections()));
        }
    }

    private void addColumns(Columns<PivotRow> table) {
        List<Stat> values = pivot.values();
        if (pivot.columns() == By.VALUE) {
            for (Slice group : slices(pivot.headings())) {
                table.under(group.name());
                boolean hasPositions = !values.contains(Stat.BUCKETS) || hasBuckets(group);
                (hasPositions ? values : List.of(Stat.QUERY_MEAN)).forEach(stat -> add(table, group, stat));
            }
            return;
        }
        for (Stat stat : values) {
            if (stat.isAlone()) {
                add(table.under(""), Slice.ALL, stat);
                continue;
            }
            for (Slice group : slices(pivot.headings())) {
                String value = stat == Stat.PSI ? "PSI" : board.measure();
                table.under(pivot.headings() == By.VALUE ? value : group.name());
                slices(pivot.columns())
                        .forEach(column -> table.text(column.name(), row -> cell(row, column.and(group), stat)));
            }
        }
    }

    private void add(Columns<PivotRow> table, Slice slice, Stat stat) {
        switch (stat) {
            case BUCKETS ->
                sample(slice).buckets().forEach(bucket -> {
                    String name = bucket.bucket();
                    table.text(
                            name,
                            row -> tested(
                                    points(row, slice, profile -> ProfileValues.mean(profile, name)),
                                    row,
                                    slice,
                                    new Tested.Bucket(name)));
                });
            case MEAN -> {
                boolean overQueries = profilesOf(slice).allMatch(profile -> profile.queryMean() != null);
                table.text(
                        overQueries ? "query mean" : "bucket mean",
                        row -> cell(row, slice, overQueries ? Stat.QUERY_MEAN : Stat.BUCKET_MEAN));
            }
            case VERDICT -> {
                if (board.hasVerdicts()) {
                    table.text("verdict", row -> cell(row, slice, stat));
                }
            }
            default -> table.text(header(stat), row -> cell(row, slice, stat));
        }
    }

    private String header(Stat stat) {
        return switch (stat) {
            case QUERY_MEAN -> "query mean";
            case BUCKET_MEAN -> "mean";
            case PSI -> "PSI";
            case DROP_TO_WORST -> "drop to worst";
            case DROP_TO_LAST -> "drop to last";
            case MEAN_OF_ALL -> "average";
            case REFERENCE -> Objects.requireNonNull(pivot.reference()).name();
            default -> board.measure();
        };
    }

    private Cell cell(PivotRow row, Slice column, Stat stat) {
        return switch (stat) {
            case QUERY_MEAN -> tested(points(row, column, ProfileValues::queryMean), row, column, new Tested.Mean());
            case BUCKET_MEAN -> points(row, column, ProfileValues::bucketMean);
            case PSI ->
                tested(
                        board.psi(row.line(), cells -> value(cells, column.and(row.slice()), ProfileValues::psi)),
                        row,
                        column,
                        new Tested.Psi());
            case DROP_TO_WORST -> drop(row, column, BucketDrop::toWorst);
            case DROP_TO_LAST -> drop(row, column, BucketDrop::toLast);
            case VERDICT -> verdict(row, column);
            case MEAN_OF_ALL -> board.points(row.line(), cells -> meanOfAll(cells));
            case REFERENCE ->
                Cell.points(
                        Value.of(row.line().isDifference() ? null : reference.get(nameAtReference(row.line()))),
                        false,
                        board.digits());
            default -> points(row, column, ProfileValues::average);
        };
    }

    /** Adds the outcome of tests to the number of one result. */
    private Cell tested(Cell cell, PivotRow row, Slice column, Tested number) {
        Slice slice = column.and(row.slice());
        List<Result> own = row.line().results().stream()
                .filter(result -> slice.datasets().test(board.column(result)))
                .toList();
        if (tests.shown() == PairwiseTests.Shown.NOTHING || !row.line().isOwn() || own.size() != 1) {
            return cell;
        }
        Set<String> better = tests.better(
                own.getFirst(),
                Objects.requireNonNullElse(slice.measure(), board.measure()),
                Objects.requireNonNullElse(slice.stratum(), Strata.ALL),
                number);
        String model = row.line().model();
        String letter = number instanceof Tested.Bucket ? "" : letters.getOrDefault(model, "");
        return better == null ? cell : cell.with(new Standing(model, letter, better));
    }

    /** Explains letters, or fonts, of the columns. */
    private List<String> legend(Grid grid, List<String> header) {
        String holm = "(Holm p < " + NumberFormat.level(tests.confidence()) + ", " + Plural.of(tests.pairs(), "pair")
                + " of models)";
        List<String> legend = new ArrayList<>();
        if (tests.shown() != PairwiseTests.Shown.NOTHING) {
            legend.addAll(tests.untested());
        }
        if (!letters.isEmpty() && !grid.tested().isEmpty()) {
            legend.add("letters: better than these " + holm);
        }
        if (tests.shown().hasFonts() && !grid.tested().isEmpty()) {
            legend.add("bold: no model is better, underlined: only bold ones are " + holm
                    + "; a column without differences has neither");
        }
        if (tests.shown().hasFonts() && !grid.byValue().isEmpty()) {
            legend.add("bold: best, underlined: second, by value alone"
                    + (grid.tested().isEmpty()
                            ? ""
                            : ": " + grid.byValue().stream().map(header::get).collect(Collectors.joining(", "))));
        }
        return legend;
    }

    private Cell points(PivotRow row, Slice column, Function<Profile, Value> number) {
        return board.points(row.line(), cells -> value(cells, column.and(row.slice()), number));
    }

    private Cell drop(PivotRow row, Slice column, Function<BucketDrop, Double> part) {
        return board.drop(
                row.line(),
                cells -> value(cells, column.and(row.slice()), profile -> {
                    BucketDrop drop = BucketDrop.of(profile.buckets(), BucketMean::mean);
                    return drop == null ? Value.NONE : Value.of(part.apply(drop));
                }));
    }

    private Cell verdict(PivotRow row, Slice column) {
        if (row.line().isDifference()) {
            return Cell.word("");
        }
        List<Profile> profiles = profiles(row.line().results(), column.and(row.slice()));
        return ProfileValues.verdict(profiles.isEmpty() ? null : profiles.getFirst());
    }

    private Value value(List<Result> cells, Slice slice, Function<Profile, Value> number) {
        List<Profile> profiles = profiles(cells, slice);
        return profiles.size() == 1 ? number.apply(profiles.getFirst()) : mean(profiles, number);
    }

    private static Value mean(List<Profile> profiles, Function<Profile, Value> number) {
        return Value.of(ProfileValues.mean(
                        profiles, profile -> number.apply(profile).value()))
                .of(ProfileValues.sample(profiles));
    }

    private Value meanOfAll(List<Result> cells) {
        List<Profile> profiles = known(allProfiles(cells, Slice.ALL));
        return profiles.size() < board.datasets().size() ? Value.NONE : mean(profiles, ProfileValues::queryMean);
    }

    private List<Profile> profiles(List<Result> cells, Slice slice) {
        Map<String, @Nullable Profile> all = allProfiles(cells, slice);
        List<Profile> known = known(all);
        if (pivot.average()) {
            return known.size() < all.size() ? List.of() : known;
        }
        if (known.size() > 1) {
            throw new UsageException(
                    "the layout has one cell for " + cells.getFirst().model() + " on " + String.join(", ", all.keySet())
                            + ": it needs average: true, or headings: dataset");
        }
        return known;
    }

    private static List<Profile> known(Map<String, @Nullable Profile> profiles) {
        List<Profile> known = new ArrayList<>();
        profiles.values().forEach(profile -> {
            if (profile != null) {
                known.add(profile);
            }
        });
        return known;
    }

    private Map<String, @Nullable Profile> allProfiles(List<Result> cells, Slice slice) {
        Map<String, @Nullable Profile> profiles = new LinkedHashMap<>();
        for (Result cell : cells) {
            if (slice.datasets().test(board.column(cell))) {
                profiles.putIfAbsent(
                        cell.dataset(),
                        cell.profile(
                                Objects.requireNonNullElse(slice.measure(), board.measure()),
                                Objects.requireNonNullElse(slice.stratum(), Strata.ALL)));
            }
        }
        return profiles;
    }

    private Stream<Profile> profilesOf(Slice slice) {
        return board.results().stream()
                .filter(result -> slice.datasets().test(board.column(result)))
                .map(result -> all(result));
    }

    private Profile sample(Slice slice) {
        return profilesOf(slice).findFirst().orElseThrow();
    }

    private boolean hasBuckets(Slice slice) {
        return !sample(slice).buckets().isEmpty();
    }

    private Profile all(Result result) {
        return Objects.requireNonNull(result.profile(board.measure(), Strata.ALL), "every result has the stratum all");
    }

    private boolean hasTiny() {
        return pivot.tiny() && board.results().stream().anyMatch(Leaderboard::isTiny);
    }

    private boolean isNotable(LeaderboardRow line) {
        Double least = pivot.star();
        if (least == null || line.isDifference()) {
            return false;
        }
        List<Double> values = line.results().stream()
                .map(cell -> all(cell).printedPsi().value())
                .filter(Objects::nonNull)
                .map(psi -> Double.valueOf(NumberFormat.FRACTION.print(psi)))
                .toList();
        return !values.isEmpty() && values.stream().allMatch(psi -> psi >= least);
    }

    private List<String> notes(List<String> more) {
        List<String> notes = new ArrayList<>();
        if (pivot.values().contains(Stat.PSI) && !pivot.values().contains(Stat.BUCKETS)) {
            ProfileValues.thinPsiNote(board.results().stream()
                            .flatMap(result -> result.profiles().stream())
                            .filter(profile -> profile.measure().equals(board.measure()))
                            .toList())
                    .ifPresent(notes::add);
        }
        if (pivot.values().contains(Stat.BUCKETS)) {
            ProfileValues.thinNote(
                            board.results().stream().map(result -> all(result)).toList(), "few")
                    .ifPresent(notes::add);
            slices(pivot.headings()).stream()
                    .filter(benchmark -> !hasBuckets(benchmark))
                    .map(benchmark -> benchmark.name() + ": no evidence positions, so no buckets and no PSI")
                    .forEach(notes::add);
        }
        if (hasTiny()) {
            notes.add("tiny: on the subset of the benchmark whose name ends in " + Leaderboard.TINY);
        }
        notes.addAll(more);
        if (pivot.values().contains(Stat.VERDICT)) {
            ProfileValues.fixedNote(
                            board.results().stream().map(result -> all(result)).toList())
                    .ifPresent(notes::add);
        }
        if (pivot.average()) {
            slices(pivot.headings()).forEach(group -> noteGaps(group.datasets(), notes));
        }
        return notes;
    }

    private void noteGaps(Predicate<String> datasets, List<String> notes) {
        long all = board.datasets().stream().filter(datasets).count();
        board.lines().filter(line -> !line.isDifference()).forEach(line -> {
            long covered = line.datasets().filter(datasets).count();
            if (covered > 0 && covered < all) {
                notes.add(line.label() + " covers " + covered + " of " + all + " datasets");
            }
        });
    }

    private String nameAtReference(LeaderboardRow line) {
        Result result = line.results().getFirst();
        return published == null ? result.model() : published.nameOf(result);
    }

    private void addAgreement(Grid grid) {
        if (pivot.reference() == null) {
            return;
        }
        Map<String, LeaderboardRow> known = new LinkedHashMap<>();
        board.lines()
                .filter(line -> !line.isDifference() && reference.containsKey(nameAtReference(line)))
                .forEach(line -> known.putIfAbsent(nameAtReference(line), line));
        if (known.size() < Correlation.LEAST) {
            return;
        }
        String name = pivot.reference().name();
        List<String> rho = new ArrayList<>(List.of("Spearman's rho", "with " + name));
        List<String> p = new ArrayList<>(List.of("p-value", ""));
        for (Slice stratum : slices(By.LENGTH)) {
            List<Double> means = new ArrayList<>();
            List<Double> own = new ArrayList<>();
            known.forEach((model, line) -> {
                Double value =
                        value(line.results(), stratum, ProfileValues::average).value();
                if (value != null) {
                    means.add(reference.get(model));
                    own.add(value);
                }
            });
            Correlation correlation =
                    own.size() < Correlation.LEAST ? null : Correlation.spearman(array(means), array(own));
            rho.add(NumberFormat.FRACTION.print(correlation == null ? null : correlation.coefficient()));
            p.add(NumberFormat.P.print(correlation == null ? null : correlation.pValue()));
        }
        grid.heading("Agreement with " + name);
        grid.text(rho);
        grid.text(p);
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
