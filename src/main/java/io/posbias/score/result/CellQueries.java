package io.posbias.score.result;

import io.posbias.data.dataset.Query;
import io.posbias.score.measure.Clustering;
import io.posbias.score.measure.Measure;
import io.posbias.score.measure.QueryBuckets;
import io.posbias.score.measure.Scores;
import io.posbias.score.measure.ScoresByPlace;
import io.posbias.score.measure.SearchFacts;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A result with its queries.
 *
 * @param places scores with the evidence at other places; empty if not measured
 */
public record CellQueries(
        Result result, Scores scores, QueryBuckets placement, SearchFacts facts, List<ScoresByPlace> places) {
    public Clustering.By unit() {
        return placement.clustering().by();
    }

    public CellQueries by(Clustering.By cluster) {
        return new CellQueries(result, scores, placement.by(cluster), facts, places);
    }

    /** Returns the queries with another result. */
    public CellQueries with(Result other, List<ScoresByPlace> rows) {
        return new CellQueries(other, scores, placement, facts, rows);
    }

    /** Returns queries by index. */
    public CellQueries at(int[] chosen) {
        Scores some = scores.at(chosen);
        Set<String> ids = some.queries().stream().map(Query::id).collect(Collectors.toSet());
        return new CellQueries(
                result,
                some,
                placement.at(chosen),
                facts.at(chosen),
                places.stream().filter(row -> ids.contains(row.query())).toList());
    }

    /** Returns the queries without buckets. */
    public CellQueries unbucketed() {
        return new CellQueries(result, scores, placement.unbucketed(), facts, List.of());
    }

    /** Returns the scores on a measure, or null. */
    public double @Nullable [] of(String measure) {
        List<String> names = scores.measures().stream().map(Measure::toString).toList();
        int place = names.indexOf(measure);
        return place < 0 ? null : scores.of(place);
    }

    /**
     * Returns true if another cell held the content fixed in the same way and has scores by place on the measure, which
     * is the first of both.
     */
    public boolean isPlacedAs(CellQueries other, String measure) {
        return !places.isEmpty()
                && !other.places.isEmpty()
                && Objects.equals(
                        result.settings().contentFixed(),
                        other.result.settings().contentFixed())
                && Stream.of(this, other)
                        .allMatch(own ->
                                own.result.settings().measure().toString().equals(measure));
    }

    /** Returns the reason why another cell's queries cannot be paired with these; null if they can. */
    @Nullable
    public String unpaired(CellQueries other) {
        List<String> own = ids();
        Map<String, Integer> rows = other.rows();
        if (own.size() != rows.size()) {
            return "they hold " + own.size() + " and " + rows.size() + " queries";
        }
        for (int query = 0; query < own.size(); query++) {
            Integer row = rows.get(own.get(query));
            if (row == null) {
                return "query " + own.get(query) + " of the first is not in the second";
            }
            if (!Arrays.equals(placement.bucketsOf(query), other.placement.bucketsOf(row))
                    || !placement.bandOf(query).equals(other.placement.bandOf(row))) {
                return "query " + own.get(query) + " is in other buckets";
            }
        }
        return null;
    }

    /** Returns these in the order of another cell's queries; as they are if those are {@linkplain #unpaired others}. */
    public CellQueries inOrderOf(CellQueries other) {
        if (ids().equals(other.ids()) || unpaired(other) != null) {
            return this;
        }
        List<String> wanted = other.ids();
        Map<String, Integer> rows = rows();
        return at(wanted.stream().mapToInt(id -> rows.getOrDefault(id, 0)).toArray());
    }

    private List<String> ids() {
        return scores.queries().stream().map(Query::id).toList();
    }

    private Map<String, Integer> rows() {
        List<String> ids = ids();
        return IntStream.range(0, ids.size()).boxed().collect(Collectors.toMap(ids::get, row -> row));
    }
}
