package io.posbias.report.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.table.Cell;
import io.posbias.base.table.Columns;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.Table;
import io.posbias.report.profile.ProfileValues;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.DirectionChange;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Psi;
import io.posbias.score.measure.Verdict;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.CsvFiles;
import io.posbias.score.result.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selected queries with their profiles.
 *
 * @param by field of groups; empty for one group per cell
 * @param where conditions joined by and; empty for all queries
 * @param slices non-empty groups by benchmark, model and value
 * @param changes of front minus back between the first and the last group of a cell, by measure
 */
public record Selected(String by, String where, List<Slice> slices, List<Change> changes, List<String> notes) {
    private static final String SCHEMA = "posbias/selection/2";

    /**
     * A group of a cell's queries.
     *
     * @param value of the grouping field; empty for one group per cell
     * @param of all queries of the cell
     * @param unknown queries without a value that a condition needs
     */
    public record Slice(Result result, String value, int queries, int of, int unknown) {
        private Profile profile(String measure) {
            return result.overall(measure);
        }
    }

    /**
     * Front minus back in the first and the last group of a cell.
     *
     * @param first name of the first group
     * @param last name of the last group
     */
    public record Change(
            String model, String dataset, String measure, String first, String last, DirectionChange frontMinusBack) {
        /**
         * @param groups queries by index, by the group's name
         */
        static List<Change> of(CellQueries cell, Map<String, int[]> groups) {
            List<String> names = List.copyOf(groups.keySet());
            int[][] ends = {groups.get(names.getFirst()), groups.get(names.getLast())};
            List<Change> changes = new ArrayList<>();
            for (int measure = 0; measure < cell.scores().measures().size(); measure++) {
                DirectionChange found = DirectionChange.of(
                        cell.scores().queries(),
                        cell.placement(),
                        cell.scores().of(measure),
                        ends,
                        cell.result().settings().confidence());
                if (found != null) {
                    changes.add(new Change(
                            cell.result().model(),
                            cell.result().dataset(),
                            cell.scores().measures().get(measure).toString(),
                            names.getFirst(),
                            names.getLast(),
                            found));
                }
            }
            return changes;
        }
    }

    private static final Columns<Change> CHANGES = new Columns<Change>()
            .label("model", Change::model)
            .text("from", Change::first)
            .text("to", Change::last)
            .part(
                    Change::frontMinusBack,
                    new Columns<DirectionChange>()
                            .estimate("first", NumberFormat.SIGNED_POINTS, DirectionChange::first)
                            .estimate("last", NumberFormat.SIGNED_POINTS, DirectionChange::second)
                            .estimate("change", NumberFormat.SIGNED_POINTS, DirectionChange::change));

    /** Returns the results with profiles of the selected queries, for one group per cell. */
    public List<Result> results() {
        return slices.stream().map(Slice::result).toList();
    }

    /**
     * Makes a table for each benchmark.
     *
     * @param intervals true to print intervals of means and PSI
     */
    public List<Table> tables(String measure, boolean intervals, int digits) {
        Map<String, List<Slice>> same = slices.stream()
                .filter(slice -> slice.result().measures().contains(measure))
                .collect(Collectors.groupingBy(
                        slice -> slice.result().dataset() + " "
                                + slice.result().settings().buckets(),
                        LinkedHashMap::new,
                        Collectors.toList()));
        List<Table> tables = new ArrayList<>();
        same.values().forEach(own -> {
            tables.add(table(own, measure, intervals, digits));
            String dataset = own.getFirst().result().dataset();
            List<Change> changed = changes.stream()
                    .filter(change ->
                            change.dataset().equals(dataset) && change.measure().equals(measure))
                    .toList();
            if (!changed.isEmpty()) {
                tables.add(CHANGES.table(
                        dataset + ", " + measure + ": front minus back in points, by " + by,
                        changed,
                        List.of(
                                "front: evidence in the first third of the passage, back: in the last; change: last group"
                                        + " minus first, with its interval and p")));
            }
        });
        return tables;
    }

    private Table table(List<Slice> own, String measure, boolean intervals, int digits) {
        Columns<Slice> columns = new Columns<Slice>(digits)
                .label("model", slice -> slice.result().model())
                .label(by, Slice::value)
                .text("queries", Slice::queries);
        List<BucketMean> buckets = own.getFirst().profile(measure).buckets();
        for (int i = 0; i < buckets.size(); i++) {
            int bucket = i;
            columns.text(
                    buckets.get(i).bucket(),
                    slice -> Cell.points(
                            ProfileValues.mean(slice.profile(measure).buckets().get(bucket)), intervals, digits));
        }
        columns.text(
                "query mean", slice -> Cell.points(ProfileValues.queryMean(slice.profile(measure)), intervals, digits));
        if (!buckets.isEmpty()) {
            columns.text("PSI", slice -> Cell.psi(ProfileValues.psi(slice.profile(measure)), intervals, digits))
                    .part(
                            slice -> slice.profile(measure).psi(),
                            new Columns<Psi>()
                                    .number("noise95", NumberFormat.FRACTION, Psi::noise95)
                                    .number("p", NumberFormat.P, Psi::pValue))
                    .text("verdict", slice -> ProfileValues.verdict(slice.profile(measure)));
        }
        String title = own.getFirst().result().dataset() + ", " + measure + " in points (x100) by " + by;
        return columns.table(title, own, notes(own, measure));
    }

    private List<String> notes(List<Slice> own, String measure) {
        Set<String> all = new LinkedHashSet<>(notes);
        Result result = own.getFirst().result();
        List<Profile> profiles =
                own.stream().map(slice -> slice.profile(measure)).toList();
        ProfileValues.thinNote(profiles, "fewer than " + result.settings().thinBelow())
                .ifPresent(all::add);
        ProfileValues.fixedNote(profiles).ifPresent(all::add);
        profiles.stream()
                .filter(profile ->
                        profile.psi().undefined() != null && !profile.buckets().isEmpty())
                .forEach(profile -> all.add("PSI is undefined: " + profile.psi().undefined()));
        all.addAll(Verdict.definitions(
                profiles.stream().flatMap(profile -> profile.verdicts().stream()),
                result.settings().confidence(),
                result.settings().equivalence()));
        return List.copyOf(all);
    }

    /** Returns the columns of buckets.csv after that of the group, in full precision. */
    public Table raw() {
        List<Table.Row> rows = new ArrayList<>();
        List<String> header = List.of();
        for (Slice slice : slices) {
            Table table = CsvFiles.buckets(List.of(slice.result()));
            header = Stream.concat(Stream.of(by), table.header().stream()).toList();
            table.rows()
                    .forEach(row -> rows.add(new Table.Row(Stream.concat(Stream.of(slice.value()), row.cells().stream())
                            .toList())));
        }
        return new Table("", List.of(), header, rows, List.of());
    }

    /**
     * JSON of a selection: docs/schema/selection-2.schema.json.
     *
     * @param where conditions joined by and; left out for all queries
     * @param by field of groups; left out for one group per cell
     * @param changes left out without two groups
     */
    public record SelectionFile(
            String schema,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String where,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String by,
            List<SelectedGroup> cells,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Change> changes) {}

    /**
     * A group of a cell's queries.
     *
     * @param value of the grouping field; null for one group per cell
     */
    public record SelectedGroup(
            String model,
            String dataset,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String value,

            int queries,
            int of,
            int unknown,
            List<Profile> profiles) {}

    public SelectionFile document() {
        return new SelectionFile(
                SCHEMA,
                where,
                by,
                slices.stream()
                        .map(slice -> new SelectedGroup(
                                slice.result().model(),
                                slice.result().dataset(),
                                by.isEmpty() ? null : slice.value(),
                                slice.queries(),
                                slice.of(),
                                slice.unknown(),
                                slice.result().profiles()))
                        .toList(),
                changes);
    }
}
