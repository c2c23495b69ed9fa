package io.posbias.report;

import io.posbias.measure.Profile;
import io.posbias.position.Strata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What {@code eval} and {@code score} print: one table for each benchmark and measure, with a column for each position
 * bucket, both averages and PSI with its noise.
 */
public final class ProfileTables {
    private ProfileTables() {}

    /** The tables of some results, benchmarks and measures in the order of their first result. */
    public static List<Table> of(List<Result> results) {
        Map<String, List<Result>> byDataset = new LinkedHashMap<>();
        results.forEach(result -> byDataset
                .computeIfAbsent(result.dataset() + " " + result.settings().buckets(), key -> new ArrayList<>())
                .add(result));
        List<Table> tables = new ArrayList<>();
        for (List<Result> same : byDataset.values()) {
            Set<String> measures = new LinkedHashSet<>();
            same.forEach(result -> measures.addAll(result.measures()));
            measures.forEach(measure -> tables.add(table(same, measure)));
        }
        return tables;
    }

    /** All buckets of some results as one long table, the columns of buckets.csv. */
    public static Table tidy(List<Result> results) {
        List<Table.Row> rows = results.stream()
                .flatMap(result -> CsvFiles.bucketLines(result).stream())
                .map(Table.Row::new)
                .toList();
        return new Table("", List.of(), CsvFiles.bucketColumns(), rows, List.of());
    }

    private static Table table(List<Result> results, String measure) {
        Result first = results.getFirst();
        List<Profile> all = new ArrayList<>();
        List<Table.Row> rows = new ArrayList<>();
        for (String stratum : first.strata()) {
            Profile sample =
                    Objects.requireNonNull(first.profile(first.measures().getFirst(), stratum));
            rows.add(countRow(sample));
            for (Result result : results) {
                Profile profile = result.profile(measure, stratum);
                if (profile != null) {
                    all.add(profile);
                    rows.add(valueRow(result, profile));
                    if (stratum.equals(Strata.ALL)) {
                        rows.addAll(RetrievalNotes.rows(result, profile));
                    }
                }
            }
        }
        String title = first.dataset() + ", " + measure + " in points (x100)";
        return new Table(title, List.of(), header(all.getFirst()), rows, notes(results, all));
    }

    private static List<String> header(Profile profile) {
        List<String> header = new ArrayList<>(List.of("model"));
        profile.buckets().forEach(bucket -> header.add(bucket.bucket()));
        header.addAll(List.of("query mean", "bucket mean", "PSI", "noise95", "p"));
        return header;
    }

    private static Table.Row countRow(Profile profile) {
        String name = profile.stratum().equals(Strata.ALL) ? "queries" : profile.stratum() + " queries";
        List<String> cells = new ArrayList<>(List.of(name));
        profile.buckets().forEach(bucket -> cells.add(String.valueOf(bucket.queries())));
        cells.addAll(List.of(String.valueOf(profile.queries()), "", "", "", ""));
        return new Table.Row(cells);
    }

    private static Table.Row valueRow(Result result, Profile profile) {
        boolean all = profile.stratum().equals(Strata.ALL);
        List<String> cells = new ArrayList<>(List.of(all ? result.model() : profile.stratum() + " " + result.model()));
        profile.buckets().forEach(bucket -> cells.add(Numbers.points(bucket)));
        cells.add(Numbers.points(profile.queryMean()));
        cells.add(Numbers.points(profile.bucketMean()));
        cells.add(Numbers.fraction(profile.psi().value()));
        cells.add(Numbers.fraction(profile.psi().noise95()));
        cells.add(Numbers.pValue(profile.psi().pValue()));
        return new Table.Row(cells);
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
        if (profiles.stream().flatMap(profile -> profile.buckets().stream()).anyMatch(Numbers::isMarked)) {
            notes.add(Numbers.THIN + " fewer than " + result.settings().thinBelow() + " queries: the mean says little");
        }
        profiles.stream()
                .filter(profile -> profile.psi().undefined() != null)
                .map(profile -> "PSI is undefined: " + profile.psi().undefined())
                .distinct()
                .forEach(notes::add);
        if (profiles.stream().anyMatch(profile -> profile.psi().noise95() != null)) {
            notes.add("noise95: PSI that 95% of " + result.settings().draws()
                    + " random deals of the same scores to positions stay below; p: share of deals that reach PSI");
        }
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
