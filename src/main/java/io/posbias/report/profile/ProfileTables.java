package io.posbias.report.profile;

import io.posbias.measure.Direction;
import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import io.posbias.result.QueryCounts;
import io.posbias.result.Result;
import io.posbias.table.Cell;
import io.posbias.table.Grid;
import io.posbias.table.Table;
import io.posbias.table.Unit;
import io.posbias.table.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code eval} and {@code score} print: for each benchmark and measure a table with a column for each position bucket,
 * both averages, PSI and the verdict, and one with what PSI is worth.
 */
public final class ProfileTables {
    private ProfileTables() {}

    /**
     * The tables of some results, benchmarks and measures in the order of their first result.
     *
     * @param intervals whether means and PSI are printed with their intervals
     */
    public static List<Table> of(List<Result> results, boolean intervals) {
        Map<String, List<Result>> byDataset = new LinkedHashMap<>();
        results.forEach(result -> byDataset
                .computeIfAbsent(result.dataset() + " " + result.settings().buckets(), key -> new ArrayList<>())
                .add(result));
        List<Table> tables = new ArrayList<>();
        for (List<Result> same : byDataset.values()) {
            Set<String> measures = new LinkedHashSet<>();
            same.forEach(result -> measures.addAll(result.measures()));
            measures.forEach(measure -> tables.addAll(tables(same, measure, intervals)));
        }
        return tables;
    }

    /** Two tables: the means by position, and what PSI and direction are worth where that was drawn. */
    private static List<Table> tables(List<Result> results, String measure, boolean intervals) {
        List<Table> tables = new ArrayList<>(List.of(means(results, measure, intervals)));
        BiasTable.of(results, measure).ifPresent(tables::add);
        return tables;
    }

    private static Table means(List<Result> results, String measure, boolean intervals) {
        Result first = results.getFirst();
        List<Profile> all = new ArrayList<>();
        List<String> header =
                header(Objects.requireNonNull(first.profile(first.measures().getFirst(), Strata.ALL)));
        Grid grid = new Grid();
        for (String stratum : first.strata()) {
            Profile sample =
                    Objects.requireNonNull(first.profile(first.measures().getFirst(), stratum));
            grid.text(countCells(sample));
            for (Result result : results) {
                Profile profile = result.profile(measure, stratum);
                if (profile != null) {
                    all.add(profile);
                    grid.add(cells(result, profile, intervals), curve(profile));
                    if (stratum.equals(Strata.ALL)) {
                        RetrievalNotes.rows(result, profile).forEach(grid::text);
                    }
                }
            }
            grid.mark();
        }
        String title = first.dataset() + ", " + measure + " in points (x100)";
        return new Table(title, List.of(), header, grid.rows(), notes(results, all));
    }

    private static List<String> header(Profile profile) {
        List<String> header = new ArrayList<>(List.of("model"));
        profile.buckets().forEach(bucket -> header.add(bucket.bucket()));
        header.addAll(List.of("query mean", "bucket mean", "PSI", "verdict"));
        return header;
    }

    private static List<String> countCells(Profile profile) {
        String name = profile.stratum().equals(Strata.ALL) ? "queries" : profile.stratum() + " queries";
        List<String> cells = new ArrayList<>(List.of(name));
        profile.buckets().forEach(bucket -> cells.add(String.valueOf(bucket.queries())));
        cells.add(String.valueOf(profile.queries()));
        return cells;
    }

    private static List<Cell> cells(Result result, Profile profile, boolean intervals) {
        List<Cell> cells = new ArrayList<>(List.of(Cell.word(label(result, profile))));
        profile.buckets().forEach(bucket -> cells.add(Cell.points(ProfileValues.mean(bucket), intervals)));
        cells.add(Cell.points(new Value(profile.queryMean(), profile.queryInterval(), false), intervals));
        cells.add(Cell.points(ProfileValues.bucketMean(profile), intervals));
        cells.add(Cell.psi(ProfileValues.psi(profile), intervals));
        cells.add(ProfileValues.verdict(profile));
        return cells;
    }

    /** A model's name after its stratum's, which is left out for all queries. */
    static String label(Result result, Profile profile) {
        return profile.stratum().equals(Strata.ALL) ? result.model() : profile.stratum() + " " + result.model();
    }

    private static List<@Nullable Double> curve(Profile profile) {
        List<@Nullable Double> means = new ArrayList<>();
        profile.buckets().forEach(bucket -> means.add(bucket.mean()));
        return means;
    }

    private static List<String> notes(List<Result> results, List<Profile> profiles) {
        Result result = results.getFirst();
        List<String> notes = new ArrayList<>();
        notes.add(counts(result));
        results.forEach(each -> notes.addAll(RetrievalNotes.of(each)));
        results.stream()
                .filter(each -> each.queries().unanswered() > 0)
                .map(each ->
                        each.model() + " found nothing for " + each.queries().unanswered() + " queries: they score 0")
                .forEach(notes::add);
        if (profiles.stream().flatMap(profile -> profile.buckets().stream()).anyMatch(ProfileValues::isMarked)) {
            notes.add(Unit.THIN + " fewer than " + result.settings().thinBelow() + " queries: the mean says little");
        }
        profiles.stream()
                .filter(profile -> profile.psi().undefined() != null)
                .map(profile -> "PSI is undefined: " + profile.psi().undefined())
                .distinct()
                .forEach(notes::add);
        profiles.stream()
                .map(Profile::direction)
                .filter(Objects::nonNull)
                .map(Direction::verdict)
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .forEach(verdict -> notes.add("verdict " + verdict + ": " + verdict.meaning()));
        return notes;
    }

    private static String counts(Result result) {
        QueryCounts counts = result.queries();
        StringBuilder text = new StringBuilder();
        text.append(counts.judged()).append(" queries; ");
        text.append(counts.inSeveral()).append(" in more than one bucket, ");
        text.append(counts.inNone()).append(" in none");
        if (counts.unjudged() > 0) {
            text.append("; ").append(counts.unjudged()).append(" without judgements left out");
        }
        return text.append("; buckets ").append(result.settings().buckets()).toString();
    }
}
