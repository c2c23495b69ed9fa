package io.posbias.report.profile;

import io.posbias.base.table.Cell;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.Grid;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.data.position.Strata;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.ContentFixed;
import io.posbias.score.measure.Profile;
import io.posbias.score.position.PositionTables;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tables of {@code eval} and {@code score}, for each benchmark and measure: means by position bucket, PSI, its p-value and the
 * verdict; on request the statistics of PSI and direction.
 */
public final class ProfileTables {
    private static final String BLIND = " (blind)";

    private ProfileTables() {}

    /**
     * Contents of the tables.
     *
     * @param intervals true to print intervals of means
     * @param statistics true to add the statistics of PSI and direction
     * @param words of suggested commands
     */
    public record Content(boolean intervals, boolean statistics, Detail detail, CommandWords words) {
        /** Means, PSI and verdict. */
        public static final Content USUAL = new Content(false, false, Detail.USUAL, CommandWords.NAMES);
    }

    /**
     * Makes the tables of results, in the order of benchmarks and measures.
     *
     * @param blind models that cannot see positions, below the others of their benchmark unless they are among them
     */
    public static List<Table> of(List<Result> results, List<BlindRow> blind, Content content) {
        List<Table> tables = new ArrayList<>();
        results.stream()
                .collect(Collectors.groupingBy(
                        result -> result.dataset() + " " + result.settings().buckets(),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values()
                .forEach(same -> same.stream()
                        .flatMap(result -> result.measures().stream())
                        .distinct()
                        .forEach(measure -> add(same, beside(same, blind), measure, content, tables)));
        return tables;
    }

    private static List<BlindRow> beside(List<Result> results, List<BlindRow> blind) {
        return blind.stream()
                .filter(row -> row.result().dataset().equals(results.getFirst().dataset()))
                .toList();
    }

    private static void add(
            List<Result> given, List<BlindRow> blind, String measure, Content content, List<Table> tables) {
        List<Result> results = Stream.concat(
                        given.stream(),
                        blind.stream()
                                .map(BlindRow::result)
                                .filter(result -> given.stream()
                                        .noneMatch(own -> own.model().equals(result.model())))
                                .map(result -> result.called(result.model() + BLIND)))
                .toList();
        List<ProfileRow> rows = new ArrayList<>();
        for (String stratum : results.getFirst().strata()) {
            for (Result result : results) {
                Profile profile = result.profile(measure, stratum);
                if (profile != null) {
                    rows.add(ProfileRow.of(result, profile, blind, !given.contains(result)));
                }
            }
        }
        tables.add(means(results, measure, rows, content));
        if (content.statistics() && rows.stream().anyMatch(ProfileRow::isDrawn)) {
            tables.add(BiasTable.of(results.getFirst(), measure, rows, content.detail()));
        }
        Map<String, ContentFixed> fixed = new LinkedHashMap<>();
        rows.forEach(row ->
                Optional.ofNullable(row.profile().contentFixed()).ifPresent(found -> fixed.put(row.label(), found)));
        if (!fixed.isEmpty()) {
            tables.addAll(PositionTables.of(
                    results.getFirst().dataset(),
                    fixed,
                    results.getFirst().settings(),
                    new PositionTables.Content(false, content.statistics(), content.detail())));
        }
    }

    private static Table means(List<Result> results, String measure, List<ProfileRow> rows, Content content) {
        Result first = results.getFirst();
        List<Profile> samples = first.profiles().stream()
                .filter(profile -> profile.measure().equals(first.measures().getFirst()))
                .toList();
        Columns<ProfileRow> columns = columns(first, samples.getFirst(), content);
        Grid grid = new Grid();
        for (Profile sample : samples) {
            grid.text(countCells(sample));
            rows.stream()
                    .filter(row -> row.profile().stratum().equals(sample.stratum()))
                    .forEach(row -> {
                        grid.add(columns.cells(row));
                        if (sample.stratum().equals(Strata.ALL)) {
                            RetrievalNotes.rows(row.result(), row.profile()).forEach(grid::text);
                        }
                    });
            grid.mark();
        }
        String title = first.dataset() + ", " + measure + " in points";
        return columns.tableOf(title, grid.rows(), ProfileNotes.of(results, measure, rows, content));
    }

    private static Columns<ProfileRow> columns(Result result, Profile sample, Content content) {
        int digits = content.detail().digits();
        Columns<ProfileRow> columns = new Columns<ProfileRow>(digits).label("model", ProfileRow::label);
        for (int i = 0; i < sample.buckets().size(); i++) {
            int bucket = i;
            columns.text(sample.buckets().get(i).bucket(), row -> {
                BucketMean mean = row.profile().buckets().get(bucket);
                return Cell.points(ProfileValues.mean(mean), content.intervals(), digits);
            });
        }
        boolean alone = sample.buckets().isEmpty();
        columns.text(
                "mean",
                row -> Cell.points(ProfileValues.queryMean(row.profile()), alone || content.intervals(), digits));
        double confidence = result.settings().confidence();
        return alone
                ? columns
                : columns.text(
                                confidence > 0 ? "PSI [" + NumberFormat.percent(confidence) + "]" : "PSI",
                                row -> Cell.psi(ProfileValues.psi(row.profile()), true, digits))
                        .number("p", NumberFormat.P, row -> row.profile().psi().pValue())
                        .joined(
                                "verdict",
                                row -> ProfileValues.verdict(
                                        row.profile(), row.found().verdicts()));
    }

    private static List<String> countCells(Profile profile) {
        String name = profile.stratum().equals(Strata.ALL) ? "queries" : profile.stratum() + " queries";
        List<String> cells = new ArrayList<>(List.of(name));
        profile.buckets().forEach(bucket -> cells.add(String.valueOf(bucket.queries())));
        cells.add(String.valueOf(profile.queries()));
        return cells;
    }
}
