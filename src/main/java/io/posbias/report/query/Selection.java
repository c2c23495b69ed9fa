package io.posbias.report.query;

import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.score.measure.Profile;
import io.posbias.score.measure.Profiler;
import io.posbias.score.result.CellQueries;
import io.posbias.score.result.Result;
import io.posbias.score.result.StoredCell;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Selects and groups queries of finished cells. Each group is profiled like a benchmark of these queries alone, with
 * the cell's settings, seed and clusters.
 */
public final class Selection {
    private final List<QueryCondition> conditions;
    private final String where;
    private final @Nullable Groups groups;
    private final List<StoredCell> cells;
    private final Benchmarks benchmarks;
    private final AddedFields added;
    private final Session session;

    private record Rows(CellQueries queries, Map<String, Function<Integer, @Nullable Object>> fields) {
        @Nullable
        Object value(String field, int query) {
            Function<Integer, @Nullable Object> values = fields.get(field);
            return values == null ? null : values.apply(query);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Kept(Rows rows, int[] kept, int unknown) {
        Collection<Object> values(String field) {
            return IntStream.range(0, kept.length)
                    .mapToObj(i -> rows.value(field, kept[i]))
                    .filter(Objects::nonNull)
                    .map(Objects::requireNonNull)
                    .toList();
        }
    }

    /**
     * Choice of queries, and their groups.
     *
     * @param where conditions that must all hold; empty for all queries
     * @param by a field and its edges; empty for one group
     * @param values file of further fields; null without one
     */
    public record Choice(
            List<String> where, String by, @Nullable Path values) {}

    /**
     * @throws UsageException if a cell has no queries, or a condition or the field is not valid
     */
    public Selection(List<StoredCell> cells, Choice choice, Benchmarks benchmarks, Session session) {
        List<String> where = choice.where();
        String by = choice.by();
        this.where = where.stream().map(String::strip).collect(Collectors.joining(" and "));
        Map<String, QueryFields.Kind> fields = QueryFields.known(cells);
        this.added = choice.values() == null ? AddedFields.NONE : AddedFields.read(choice.values(), fields.keySet());
        fields.putAll(added.kinds());
        this.conditions =
                where.stream().map(text -> QueryCondition.parse(text, fields)).toList();
        this.groups = by.isEmpty() ? null : Groups.parse(by, fields);
        this.cells = cells.stream().map(Selection::finished).toList();
        this.benchmarks = benchmarks;
        this.session = session;
        Set<String> datasets = cells.stream()
                .map(cell -> cell.result().dataset())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        benchmarks.refuseOthers(datasets);
    }

    private static StoredCell finished(StoredCell cell) {
        if (!cell.hasQueries()) {
            throw new UsageException(
                    "--where and --by need queries.csv beside result.json, missing for " + cell.name());
        }
        return cell;
    }

    /**
     * Profiles the groups of all cells, ordered by benchmark.
     *
     * @throws UsageException if no query matches
     */
    public Selected select() {
        List<Selected.Slice> slices = new ArrayList<>();
        List<Selected.Change> changes = new ArrayList<>();
        Set<String> notes = new LinkedHashSet<>();
        Map<String, List<StoredCell>> byDataset = cells.stream()
                .collect(Collectors.groupingBy(
                        cell -> cell.result().dataset(), LinkedHashMap::new, Collectors.toList()));
        byDataset.forEach((dataset, own) -> {
            List<Kept> kept = kept(own);
            notes.addAll(notes(dataset, kept));
            slices.addAll(slices(kept, notes, changes));
        });
        if (slices.isEmpty()) {
            throw new UsageException("no query matches" + (where.isEmpty() ? "" : " " + Printable.quoted(where)) + ": "
                    + String.join("; ", notes));
        }
        return new Selected(groups == null ? "" : groups.field(), where, slices, changes, List.copyOf(notes));
    }

    private List<Kept> kept(List<StoredCell> own) {
        QueryFields fields = new QueryFields(own, benchmarks, added);
        return session.step(
                "read queries of " + own.getFirst().result().dataset(),
                () -> own.stream()
                        .map(cell -> {
                            CellQueries queries = cell.queries();
                            return kept(new Rows(queries, fields.of(queries)));
                        })
                        .toList());
    }

    private Kept kept(Rows rows) {
        int[] possible = IntStream.range(0, rows.queries().scores().queries().size())
                .filter(query -> conditions.stream().allMatch(condition -> {
                    Object value = rows.value(condition.field(), query);
                    return value == null || condition.holds().test(value);
                }))
                .toArray();
        int[] kept = IntStream.of(possible)
                .filter(query ->
                        conditions.stream().allMatch(condition -> rows.value(condition.field(), query) != null))
                .toArray();
        int unknown = possible.length - kept.length;
        return new Kept(rows, kept, unknown);
    }

    /** Counts of selected queries; one line if all models agree. */
    private Set<String> notes(String dataset, List<Kept> kept) {
        Set<String> counts = new LinkedHashSet<>();
        if (conditions.isEmpty()) {
            return counts;
        }
        kept.forEach(each -> counts.add(count(each)));
        if (counts.size() == 1) {
            return Set.of(dataset + ": " + counts.iterator().next());
        }
        return kept.stream()
                .map(each -> each.rows().queries().result().model() + " on " + dataset + ": " + count(each))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private String count(Kept kept) {
        String unknown =
                kept.unknown() == 0 ? "" : "; " + Plural.of(kept.unknown(), "query") + " without these fields left out";
        return kept.kept().length + " of "
                + Plural.of(kept.rows().queries().scores().queries().size(), "query") + " where " + where + unknown;
    }

    private List<Selected.Slice> slices(List<Kept> kept, Set<String> notes, List<Selected.Change> changes) {
        List<Selected.Slice> slices = new ArrayList<>();
        Groups by = groups;
        if (by == null) {
            kept.forEach(each -> add(slices, each, "", each.kept()));
            return slices;
        }
        List<Groups.Group> named = by.of(values(kept, by), order(kept.getFirst(), by.field()));
        for (Kept each : kept) {
            Map<String, int[]> members = new LinkedHashMap<>();
            for (Groups.Group group : named) {
                int[] own = IntStream.of(each.kept())
                        .filter(query -> {
                            Object value = each.rows().value(by.field(), query);
                            return value != null && group.holds().test(value);
                        })
                        .toArray();
                add(slices, each, group.name(), own);
                if (own.length > 0) {
                    members.put(group.name(), own);
                }
            }
            // Queries of several buckets would be in both groups.
            if (members.size() > 1 && !by.field().equals(QueryFields.BUCKETS)) {
                changes.addAll(Selected.Change.of(each.rows().queries(), members));
            }
            int without = each.kept().length - each.values(by.field()).size();
            if (without > 0) {
                notes.add(each.rows().queries().result().model() + " on "
                        + each.rows().queries().result().dataset() + ": " + Plural.of(without, "query")
                        + " without a value of " + by.field() + " left out");
            }
        }
        return slices;
    }

    /** Values over all models: of a measure from each model, else once per query. */
    private static Collection<Object> values(List<Kept> kept, Groups by) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int cell = 0; cell < kept.size(); cell++) {
            Kept each = kept.get(cell);
            boolean own = each.rows().queries().of(by.field()) != null;
            for (int query : each.kept()) {
                Object value = each.rows().value(by.field(), query);
                if (value != null) {
                    String id =
                            each.rows().queries().scores().queries().get(query).id();
                    values.put(own || by.kind() == QueryFields.Kind.TEXT ? cell + " " + id : id, value);
                }
            }
        }
        return values.values();
    }

    private static List<String> order(Kept kept, String field) {
        return switch (field) {
            case QueryFields.BUCKETS -> kept.rows().queries().placement().bucketNames();
            case QueryFields.STRATUM -> kept.rows().queries().placement().strata();
            default -> List.of();
        };
    }

    private void add(List<Selected.Slice> slices, Kept kept, String value, int[] chosen) {
        if (chosen.length == 0) {
            return;
        }
        CellQueries some = kept.rows().queries().at(chosen);
        Result result = some.result();
        List<Profile> profiles = session.step(
                "profile " + (result.model() + " on " + result.dataset() + " " + value).strip(),
                () -> new Profiler(result.settings(), Runtime.getRuntime().availableProcessors())
                        .profiles(some.scores(), some.placement(), some.facts()));
        slices.add(new Selected.Slice(
                result.selected(profiles),
                value,
                chosen.length,
                kept.rows().queries().scores().queries().size(),
                kept.unknown()));
    }
}
