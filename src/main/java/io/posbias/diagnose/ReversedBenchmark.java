package io.posbias.diagnose;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark beside its double, whose passages have their segments in reverse order. Both hold the same queries, in the
 * same order: those whose evidence lies in the one relevant passage and inside one segment. Passages are reversed each time
 * they are read.
 */
public final class ReversedBenchmark {
    private final Dataset original;
    private final Dataset reversed;
    private final int segments;
    private final Locale locale;
    /** The evidence of queries by passage, and where it went. */
    private final Map<Integer, List<Query>> queriesOf = new HashMap<>();

    private final Map<String, Evidence> moved = new HashMap<>();
    private int withoutSpan;
    private int unchanged;

    /**
     * Looks where the evidence of all queries goes.
     *
     * @param whole the benchmark
     * @param segments of each passage at most, at least 2
     */
    public ReversedBenchmark(Dataset whole, int segments) {
        this.segments = segments;
        this.locale = Locale.forLanguageTag(whole.card().language());
        whole.judgedQueries().forEach(query -> plan(whole, query));
        whole.passages().forEach(this::move);
        List<Query> kept = whole.judgedQueries().stream()
                .filter(query -> moved.containsKey(query.id()))
                .toList();
        this.original = new Dataset(whole.card(), whole.checksums(), whole.passages(), kept, whole.qrels());
        this.reversed = new Dataset(
                whole.card(),
                whole.checksums(),
                whole.passages().map(this::reverse),
                kept.stream()
                        .map(query -> new Query(query.id(), query.text(), moved.get(query.id())))
                        .toList(),
                whole.qrels());
    }

    /** A query's passage is not recorded with its evidence: only one relevant passage leaves no doubt. */
    private void plan(Dataset whole, Query query) {
        Evidence evidence = query.evidence();
        int[] relevant = judgments(whole, query).relevantPassages();
        if (evidence == null || evidence.span() == null || relevant.length != 1) {
            withoutSpan++;
        } else {
            queriesOf.computeIfAbsent(relevant[0], passage -> new ArrayList<>()).add(query);
        }
    }

    private static Judgments judgments(Dataset whole, Query query) {
        return Objects.requireNonNull(whole.qrels().of(query.id()), "judged queries have judgements");
    }

    private SegmentReversal reversal(Passage passage) {
        return SegmentReversal.of(passage.text(), segments, locale);
    }

    private Passage reverse(Passage passage) {
        return new Passage(passage.id(), passage.title(), reversal(passage).text());
    }

    private void move(int ordinal, Passage passage) {
        SegmentReversal reversal = reversal(passage);
        unchanged += reversal.segments().size() < 2 ? 1 : 0;
        for (Query query : queriesOf.getOrDefault(ordinal, List.of())) {
            Evidence evidence = move(Objects.requireNonNull(query.evidence()), reversal);
            if (evidence != null) {
                moved.put(query.id(), evidence);
            }
        }
    }

    /** Labels say where evidence was, so they do not go along. */
    private static @Nullable Evidence move(Evidence evidence, SegmentReversal reversal) {
        Span span = reversal.move(Objects.requireNonNull(evidence.span()));
        return span == null ? null : Sentences.evidence(reversal.text(), span, evidence.tokenLength());
    }

    /** The original with the queries that were kept. */
    public Dataset original() {
        return original;
    }

    /** The double. */
    public Dataset reversed() {
        return reversed;
    }

    /**
     * Every query with its positions and scores.
     *
     * @param before scores on the original, in the order of its queries
     * @param after scores on the double
     */
    public List<Reversal.Pair> pairs(double[] before, double[] after) {
        List<Query> then = original.judgedQueries();
        List<Query> now = reversed.judgedQueries();
        List<Reversal.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < before.length; i++) {
            pairs.add(new Reversal.Pair(
                    then.get(i).id(), position(then.get(i)), position(now.get(i)), before[i], after[i]));
        }
        return pairs;
    }

    private static double position(Query query) {
        return Objects.requireNonNull(query.evidence()).relativePosition();
    }

    /** How many queries both hold. */
    public int queries() {
        return moved.size();
    }

    /** How many were left out because their evidence crosses the edge of a segment. */
    public int crossing() {
        return queriesOf.values().stream().mapToInt(List::size).sum() - moved.size();
    }

    /** How many were left out because it is not known where in one passage their evidence lies. */
    public int withoutSpan() {
        return withoutSpan;
    }

    /** How many passages of a single sentence stayed as they were. */
    public int unchanged() {
        return unchanged;
    }
}
