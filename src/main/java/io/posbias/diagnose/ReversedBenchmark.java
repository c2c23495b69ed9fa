package io.posbias.diagnose;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Passages;
import io.posbias.dataset.Query;
import io.posbias.dataset.Sentences;
import io.posbias.dataset.Span;
import io.posbias.measure.Clustering;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A benchmark beside its double, whose passages have their segments in reverse order. Both hold the same queries, in the
 * same order: those whose evidence lies in the one relevant passage and inside one segment. Passages are reversed each time
 * they are read.
 *
 * @param original with the queries that were kept
 * @param reversed the double
 * @param crossing how many queries were left out because their evidence crosses the edge of a segment
 * @param withoutSpan how many were left out because it is not known where in one passage their evidence lies
 * @param unchanged how many passages of a single sentence unchanged
 */
public record ReversedBenchmark(Dataset original, Dataset reversed, int crossing, int withoutSpan, int unchanged) {
    /**
     * Looks where the evidence of all queries goes.
     *
     * @param whole the benchmark
     * @param segments of each passage at most, at least 2
     */
    public static ReversedBenchmark of(Dataset whole, int segments) {
        Locale locale = Locale.forLanguageTag(whole.card().language());
        Map<Integer, List<Query>> queriesOf = byPassage(whole);
        Map<String, Query> moved = new HashMap<>();
        AtomicInteger unchanged = new AtomicInteger();
        whole.passages().forEach((ordinal, passage) -> {
            SegmentReversal reversal = SegmentReversal.of(passage.text(), segments, locale);
            unchanged.addAndGet(reversal.segments().size() < 2 ? 1 : 0);
            for (Query query : queriesOf.getOrDefault(ordinal, List.of())) {
                move(query, reversal).ifPresent(there -> moved.put(query.id(), there));
            }
        });
        List<Query> all = whole.judgedQueries();
        List<Query> there = all.stream()
                .map(query -> moved.get(query.id()))
                .filter(Objects::nonNull)
                .toList();
        List<Query> here =
                all.stream().filter(query -> moved.containsKey(query.id())).toList();
        Passages passages = whole.passages()
                .map(passage -> new Passage(
                        passage.id(),
                        passage.title(),
                        SegmentReversal.of(passage.text(), segments, locale).text()));
        int known = queriesOf.values().stream().mapToInt(List::size).sum();
        return new ReversedBenchmark(
                new Dataset(whole.card(), whole.checksums(), whole.passages(), here, whole.qrels()),
                new Dataset(whole.card(), whole.checksums(), passages, there, whole.qrels()),
                known - here.size(),
                all.size() - known,
                unchanged.get());
    }

    /** Which passage evidence lies in is not recorded with it: only one relevant passage leaves no doubt. */
    private static Map<Integer, List<Query>> byPassage(Dataset whole) {
        Map<Integer, List<Query>> queries = new HashMap<>();
        for (Query query : whole.judgedQueries()) {
            Evidence evidence = query.evidence();
            int[] relevant = Objects.requireNonNull(whole.qrels().of(query.id()), "judged queries have judgements")
                    .relevantPassages();
            if (evidence != null && evidence.span() != null && relevant.length == 1) {
                queries.computeIfAbsent(relevant[0], passage -> new ArrayList<>())
                        .add(query);
            }
        }
        return queries;
    }

    /** Labels say where evidence was, so they do not go along. */
    private static Optional<Query> move(Query query, SegmentReversal reversal) {
        Evidence evidence = Objects.requireNonNull(query.evidence());
        Span span = reversal.move(Objects.requireNonNull(evidence.span()));
        return Optional.ofNullable(span)
                .map(moved -> Sentences.evidence(reversal.text(), moved, evidence.tokenLength()))
                .map(query::with);
    }

    /**
     * Every query with its positions and scores.
     *
     * @param before scores on the original, in the order of its queries
     * @param after scores on the double
     * @param cluster which queries count as one
     */
    public List<Reversal.MovedQuery> pairs(double[] before, double[] after, Clustering.By cluster) {
        List<String> units =
                Clustering.of(original, original.judgedQueries(), cluster).names();
        List<Query> then = original.judgedQueries();
        List<Query> now = reversed.judgedQueries();
        return IntStream.range(0, before.length)
                .mapToObj(i -> new Reversal.MovedQuery(
                        then.get(i).id(),
                        units.get(i),
                        position(then.get(i)),
                        position(now.get(i)),
                        before[i],
                        after[i]))
                .toList();
    }

    private static double position(Query query) {
        return Objects.requireNonNull(query.evidence()).relativePosition();
    }

    /** How many queries both hold. */
    public int queries() {
        return original.judgedQueries().size();
    }
}
