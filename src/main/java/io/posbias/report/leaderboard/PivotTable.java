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
import io.posbias.report.leaderboard.Pivot.Statistic;
import io.posbias.report.profile.ProfileValues;
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
    private final Pivot pivot;
    private final @Nullable Published published;
    private final Leaderboard board;
    private final PairwiseTests tests;
    private final List<Line> lines;

    /** Letters of models; empty for a table without letters. */
    private final Map<String, String> letters = new LinkedHashMap<>();

    /** Means of the reference by name of the model; empty without one. */
    private final Map<String, Double> reference = new LinkedHashMap<>();

    /** @param published names models for the reference; null for their own names */
    PivotTable(Pivot pivot, @Nullable Published published, Leaderboard board, Families families, PairwiseTests tests) {
        this.pivot = pivot;
        this.published = published;
        this.board = board;
        this.tests = tests;
        this.lines = Line.of(board, families, this::isTiny);
        if (hasLetters()) {
            lines.stream()
                    .filter(Line::isOwn)
                    .forEach(line -> letters.putIfAbsent(line.model(), Standing.letter(letters.size())));
        }
        if (pivot.reference() != null) {
            pivot.reference().file().results().forEach(result -> {
                Double mean = result.profiles().getFirst().queryMean();
                reference.put(result.model(), Objects.requireNonNull(mean));
            });
        }
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

    /** True for results that the table shows in the columns of the whole benchmark, in lines of their own. */
    private boolean isTiny(Result result) {
        return pivot.tiny() && result.dataset().endsWith(Leaderboard.TINY);
    }

    private boolean hasTiny() {
        return board.results().stream().anyMatch(this::isTiny);
    }

    /** The benchmark whose columns a result is in. */
    private String benchmark(Result result) {
        String dataset = result.dataset();
        return isTiny(result) ? dataset.substring(0, dataset.length() - Leaderboard.TINY.length()) : dataset;
    }

    /** Part of the list of all profiles; null for the stratum of all queries, and for the measure of the board. */
    private record Slice(
            String name,
            Predicate<String> benchmarks,
            @Nullable String stratum,
            @Nullable String measure) {
        static final Slice ALL = new Slice("", any -> true, null, null);
        static final List<Slice> WAYS = List.of(
                ALL.on("multilingual", dataset -> !PosirNames.isCrossLingual(dataset)),
                ALL.on("cross-lingual", PosirNames::isCrossLingual));

        Slice on(String benchmarksName, Predicate<String> some) {
            return new Slice(benchmarksName, some, stratum, measure);
        }

        Slice of(String stratumName) {
            return new Slice(name, benchmarks, stratumName, measure);
        }

        Slice and(Slice other) {
            return new Slice(
                    name,
                    benchmarks.and(other.benchmarks),
                    stratum == null ? other.stratum : stratum,
                    measure == null ? other.measure : measure);
        }
    }

    private List<Slice> slices(By by) {
        Stream<String> datasets = board.datasets().stream();
        Stream<Slice> slices = switch (by) {
            case NOTHING, VALUE -> Stream.of(Slice.ALL);
            case DATASET ->
                board.results().stream().map(this::benchmark).distinct().map(name -> Slice.ALL.on(name, name::equals));
            case LANGUAGE ->
                datasets.sorted()
                        .map(PosirNames::queryLanguage)
                        .distinct()
                        .map(name -> Slice.ALL.on(
                                name,
                                dataset -> PosirNames.queryLanguage(dataset).equals(name)));
            case RETRIEVAL ->
                Slice.WAYS.stream().filter(way -> board.datasets().stream().anyMatch(way.benchmarks()));
            case LENGTH ->
                board.results().stream()
                        .flatMap(result -> result.strata().stream())
                        .distinct()
                        .map(name -> Slice.ALL.on(name, any -> true).of(name));
            case MEASURE -> pivot.measures().stream().map(name -> new Slice(name, any -> true, null, name));
        };
        return slices.toList();
    }

    private record Row(Line line, Slice slice) {}

    Table table(String title, List<String> notes) {
        Columns<Row> table = new Columns<Row>().label("model", row -> label(row.line()));
        if (pivot.rows() == Rows.DATASETS) {
            table.label("dataset", row -> row.slice().name());
        } else if (hasTiny()) {
            table.label("set", row -> isTiny(row.line().results().getFirst()) ? "tiny" : "full");
        }
        addColumns(table);
        Grid grid = new Grid();
        if (pivot.sections().isEmpty()) {
            String family = "";
            for (Line line : lines) {
                if (!family.equals(line.family())) {
                    family = line.family();
                    grid.heading(family);
                }
                rows(line).forEach(row -> grid.add(table.cells(row)));
            }
        } else {
            addSections(table, grid);
        }
        if (pivot.rows() != Rows.DATASETS || pivot.average()) {
            grid.mark();
        }
        addAgreement(grid);
        Table made = table.tableOf(title, grid.rows(), notes(notes));
        return made.noted(legend(grid, made.flatHeader()));
    }

    private String label(Line line) {
        String letter = line.isOwn() ? letters.getOrDefault(line.model(), "") : "";
        return (letter.isEmpty() ? "" : letter + " ") + line.model() + (isNotable(line) ? "*" : "") + line.suffix();
    }

    private Stream<Row> rows(Line line) {
        if (pivot.rows() != Rows.DATASETS) {
            return Stream.of(new Row(line, Slice.ALL));
        }
        return pivot.average()
                ? Stream.of(
                        new Row(line, Slice.ALL.on("mean of " + line.datasets().size(), any -> true)))
                : line.datasets().stream().map(name -> new Row(line, Slice.ALL.on(name, name::equals)));
    }

    private void addSections(Columns<Row> table, Grid grid) {
        for (String stratum : pivot.sections()) {
            for (Slice way : Slice.WAYS) {
                Slice slice = way.of(stratum);
                List<Line> shown = lines.stream()
                        .filter(line -> !known(line.results(), slice).isEmpty())
                        .toList();
                if (!shown.isEmpty()) {
                    String queries = stratum.equals(Strata.ALL) ? "all lengths" : stratum;
                    grid.heading(queries + ", " + way.name() + " retrieval");
                    shown.forEach(line -> grid.add(table.cells(new Row(line, slice))));
                    grid.mark();
                }
            }
        }
        if (grid.rows().isEmpty()) {
            throw new UsageException(
                    "no result has the bands of length that this layout shows: " + String.join(", ", pivot.sections()));
        }
    }

    private void addColumns(Columns<Row> table) {
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
                        .forEach(column -> add(table, column.name(), column.and(group), stat.statistic()));
            }
        }
    }

    private void add(Columns<Row> table, Slice slice, Stat stat) {
        switch (stat) {
            case BUCKETS ->
                sample(slice)
                        .buckets()
                        .forEach(bucket -> add(table, bucket.bucket(), slice, Statistic.bucket(bucket.bucket())));
            case MEAN -> {
                boolean overQueries = profiles(slice).allMatch(profile -> profile.queryMean() != null);
                Stat own = overQueries ? Stat.QUERY_MEAN : Stat.BUCKET_MEAN;
                add(table, overQueries ? "query mean" : "bucket mean", slice, own.statistic());
            }
            case VERDICT ->
                table.when(
                        profiles(Slice.ALL)
                                .anyMatch(profile ->
                                        !ProfileValues.verdict(profile).text().equals(NumberFormat.NONE)),
                        more -> more.text("verdict", row -> verdict(row, slice)));
            case MEAN_OF_ALL -> table.text("average", row -> print(row.line(), NumberFormat.POINTS, this::meanOfAll));
            case REFERENCE ->
                table.text(Objects.requireNonNull(pivot.reference()).name(), row -> referenceMean(row.line()));
            default -> {
                String header = stat.statistic().header();
                add(table, header.isEmpty() ? board.measure() : header, slice, stat.statistic());
            }
        }
    }

    private void add(Columns<Row> table, String header, Slice column, Statistic statistic) {
        table.text(header, row -> {
            Slice slice = column.and(row.slice());
            Cell cell = print(row.line(), statistic.unit(), results -> value(results, slice, statistic.value()));
            return tested(cell, row.line(), slice, statistic.test());
        });
    }

    private Cell print(Line line, NumberFormat unit, Function<List<Result>, Value> number) {
        Value value = line.value(number);
        if (line.isDifference()) {
            return Cell.word(unit.signed().print(value.value(), board.digits()));
        }
        boolean isSubset = isTiny(line.results().getFirst());
        return Cell.of(
                unit,
                isSubset ? value.of(value.sample() + Leaderboard.TINY) : value,
                board.intervals(),
                board.digits());
    }

    private Cell tested(Cell cell, Line line, Slice slice, @Nullable Tested test) {
        List<Result> own = line.results().stream()
                .filter(result -> slice.benchmarks().test(benchmark(result)))
                .toList();
        if (test == null || tests.shown() == PairwiseTests.Shown.NOTHING || !line.isOwn() || own.size() != 1) {
            return cell;
        }
        Set<String> better = tests.better(own.getFirst(), measure(slice), stratum(slice), test);
        String letter = test instanceof Tested.Bucket ? "" : letters.getOrDefault(line.model(), "");
        return better == null ? cell : cell.with(new Standing(line.model(), letter, better));
    }

    private String measure(Slice slice) {
        return Objects.requireNonNullElse(slice.measure(), board.measure());
    }

    private static String stratum(Slice slice) {
        return Objects.requireNonNullElse(slice.stratum(), Strata.ALL);
    }

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

    private Cell verdict(Row row, Slice column) {
        if (row.line().isDifference()) {
            return Cell.word("");
        }
        List<Profile> profiles = profiles(row.line().results(), column.and(row.slice()));
        return ProfileValues.verdict(profiles.isEmpty() ? null : profiles.getFirst());
    }

    private Value value(List<Result> results, Slice slice, Function<Profile, Value> number) {
        List<Profile> profiles = profiles(results, slice);
        return profiles.size() == 1 ? number.apply(profiles.getFirst()) : mean(profiles, number);
    }

    private static Value mean(List<Profile> profiles, Function<Profile, Value> number) {
        return Value.of(Profile.mean(profiles, profile -> number.apply(profile).value()))
                .of(ProfileValues.sample(profiles));
    }

    private Value meanOfAll(List<Result> results) {
        List<Profile> profiles = known(results, Slice.ALL);
        return profiles.size() < board.datasets().size() ? Value.NONE : mean(profiles, ProfileValues::queryMean);
    }

    private List<Profile> profiles(List<Result> results, Slice slice) {
        List<Profile> known = known(results, slice);
        List<String> benchmarks = results.stream()
                .filter(result -> slice.benchmarks().test(benchmark(result)))
                .map(Result::dataset)
                .distinct()
                .toList();
        if (pivot.average()) {
            return known.size() < benchmarks.size() ? List.of() : known;
        }
        if (known.size() > 1) {
            throw new UsageException("the layout has one cell for "
                    + results.getFirst().model() + " on " + String.join(", ", benchmarks)
                    + ": it needs average: true, or headings: dataset");
        }
        return known;
    }

    /** The profiles of a slice, one of each benchmark that has one. */
    private List<Profile> known(List<Result> results, Slice slice) {
        Map<String, Profile> profiles = new LinkedHashMap<>();
        for (Result result : results) {
            Profile profile =
                    slice.benchmarks().test(benchmark(result)) ? result.profile(measure(slice), stratum(slice)) : null;
            if (profile != null) {
                profiles.putIfAbsent(result.dataset(), profile);
            }
        }
        return List.copyOf(profiles.values());
    }

    /** Profiles of all queries on the benchmarks of a slice, with the measure of the board. */
    private Stream<Profile> profiles(Slice slice) {
        return board.results().stream()
                .filter(result -> slice.benchmarks().test(benchmark(result)))
                .map(result -> result.overall(board.measure()));
    }

    private Profile sample(Slice slice) {
        return profiles(slice).findFirst().orElseThrow();
    }

    private boolean hasBuckets(Slice slice) {
        return !sample(slice).buckets().isEmpty();
    }

    private boolean isNotable(Line line) {
        Double least = pivot.star();
        if (least == null || line.isDifference()) {
            return false;
        }
        List<Double> values = line.results().stream()
                .map(result -> result.overall(board.measure()).printedPsi().value())
                .filter(Objects::nonNull)
                .map(psi -> Double.valueOf(NumberFormat.FRACTION.print(psi)))
                .toList();
        return !values.isEmpty() && values.stream().allMatch(psi -> psi >= least);
    }

    private List<String> notes(List<String> more) {
        List<String> notes = new ArrayList<>();
        List<Profile> all = profiles(Slice.ALL).toList();
        if (pivot.values().contains(Stat.BUCKETS)) {
            ProfileValues.thinNote(all, "few").ifPresent(notes::add);
            slices(pivot.headings()).stream()
                    .filter(benchmark -> !hasBuckets(benchmark))
                    .map(benchmark -> benchmark.name() + ": no evidence positions, so no buckets and no PSI")
                    .forEach(notes::add);
        } else if (pivot.values().contains(Stat.PSI)) {
            ProfileValues.thinPsiNote(board.results().stream()
                            .flatMap(result -> result.profiles().stream())
                            .filter(profile -> profile.measure().equals(board.measure()))
                            .toList())
                    .ifPresent(notes::add);
        }
        if (hasTiny()) {
            notes.add("tiny: on the subset of the benchmark whose name ends in " + Leaderboard.TINY);
        }
        notes.addAll(more);
        if (pivot.values().contains(Stat.VERDICT)) {
            ProfileValues.fixedNote(all).ifPresent(notes::add);
        }
        if (pivot.average()) {
            slices(pivot.headings()).forEach(group -> addGaps(group.benchmarks(), notes));
        }
        return notes;
    }

    private void addGaps(Predicate<String> benchmarks, List<String> notes) {
        long all = board.datasets().stream().filter(benchmarks).count();
        for (Line line : lines) {
            long covered = line.datasets().stream().filter(benchmarks).count();
            if (!line.isDifference() && covered > 0 && covered < all) {
                notes.add(line.label() + " covers " + covered + " of " + all + " datasets");
            }
        }
    }

    private String nameAtReference(Line line) {
        Result result = line.results().getFirst();
        return published == null ? result.model() : published.nameOf(result);
    }

    private Cell referenceMean(Line line) {
        Double mean = line.isDifference() ? null : reference.get(nameAtReference(line));
        return Cell.points(Value.of(mean), false, board.digits());
    }

    private void addAgreement(Grid grid) {
        Map<String, Line> known = new LinkedHashMap<>();
        lines.stream()
                .filter(line -> !line.isDifference() && reference.containsKey(nameAtReference(line)))
                .forEach(line -> known.putIfAbsent(nameAtReference(line), line));
        if (pivot.reference() == null || known.size() < Correlation.LEAST) {
            return;
        }
        String name = pivot.reference().name();
        List<String> rho = new ArrayList<>(List.of("Spearman's rho", "with " + name));
        List<String> p = new ArrayList<>(List.of("p-value", ""));
        for (Slice stratum : slices(By.LENGTH)) {
            List<double[]> pairs = new ArrayList<>();
            known.forEach((model, line) -> {
                Double value =
                        value(line.results(), stratum, ProfileValues::average).value();
                if (value != null) {
                    pairs.add(new double[] {reference.getOrDefault(model, Double.NaN), value});
                }
            });
            Correlation correlation =
                    pairs.size() < Correlation.LEAST ? null : Correlation.spearman(column(pairs, 0), column(pairs, 1));
            rho.add(NumberFormat.FRACTION.print(correlation == null ? null : correlation.coefficient()));
            p.add(NumberFormat.P.print(correlation == null ? null : correlation.pValue()));
        }
        grid.heading("Agreement with " + name);
        grid.text(rho);
        grid.text(p);
    }

    private static double[] column(List<double[]> pairs, int column) {
        return pairs.stream().mapToDouble(pair -> pair[column]).toArray();
    }
}
