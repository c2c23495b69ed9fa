package io.posbias.cli;

import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import io.posbias.dataset.CodePoints;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.DatasetReader;
import io.posbias.dataset.DatasetWriter;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Judgments;
import io.posbias.dataset.Passage;
import io.posbias.dataset.Query;
import io.posbias.dataset.Span;
import io.posbias.measure.Reversal;
import io.posbias.probe.SegmentReversal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark beside its double, whose passages have their segments in reverse order. Both hold the same queries, in the
 * same order: those whose evidence lies in the one relevant passage and inside one segment. The double lies in a temporary
 * folder until this is closed.
 */
final class ReversedBenchmark implements AutoCloseable {
    private final Dataset original;
    private final int segments;
    private final Locale locale;
    private final Path folder;
    /** The evidence of queries by passage, and where it went. */
    private final Map<Integer, List<Query>> queriesOf = new HashMap<>();

    private final Map<String, Evidence> moved = new HashMap<>();
    private final Dataset reversed;
    private int withoutSpan;
    private int unchanged;

    /**
     * Writes the double.
     *
     * @param whole the benchmark
     * @param segments of each passage at most, at least 2
     */
    ReversedBenchmark(Dataset whole, int segments) {
        this.segments = segments;
        this.locale = Locale.forLanguageTag(whole.card().language());
        this.folder = temporary();
        try {
            whole.judgedQueries().forEach(query -> plan(whole, query));
            this.reversed = write(whole);
        } catch (RuntimeException failed) {
            Staging.delete(folder);
            throw failed;
        }
        this.original = new Dataset(whole.card(), whole.checksums(), whole.passages(), kept(whole), whole.qrels());
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("posbias-reversal-");
        } catch (IOException refused) {
            throw new PosbiasException(
                    Problems.describe("write", Path.of(System.getProperty("java.io.tmpdir")), refused), refused);
        }
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

    private Dataset write(Dataset whole) {
        try (DatasetWriter writer = new DatasetWriter(folder, false)) {
            whole.passages().forEach((ordinal, passage) -> writer.passage(reverse(ordinal, passage)));
            for (Query query : kept(whole)) {
                writer.query(new Query(query.id(), query.text(), moved.get(query.id())));
                Judgments judgments = judgments(whole, query);
                for (int passage : judgments.passages()) {
                    writer.judgment(query.id(), whole.passages().ids().id(passage), judgments.grade(passage));
                }
            }
            writer.finish(whole.card());
        }
        return moved.isEmpty() ? whole : DatasetReader.open(folder);
    }

    private List<Query> kept(Dataset whole) {
        return whole.judgedQueries().stream()
                .filter(query -> moved.containsKey(query.id()))
                .toList();
    }

    private Passage reverse(int ordinal, Passage passage) {
        SegmentReversal reversal = SegmentReversal.of(passage.text(), segments, locale);
        if (reversal.segments().size() < 2) {
            unchanged++;
        }
        for (Query query : queriesOf.getOrDefault(ordinal, List.of())) {
            Evidence evidence = move(Objects.requireNonNull(query.evidence()), reversal);
            if (evidence != null) {
                moved.put(query.id(), evidence);
            }
        }
        return new Passage(passage.id(), passage.title(), reversal.text());
    }

    /** Labels say where evidence was, so they do not go along. */
    private static @Nullable Evidence move(Evidence evidence, SegmentReversal reversal) {
        Span span = reversal.move(Objects.requireNonNull(evidence.span()));
        if (span == null) {
            return null;
        }
        String text = reversal.text();
        int start = text.codePointCount(0, span.start());
        int end = start + text.codePointCount(span.start(), span.end());
        return new Evidence(start, end, CodePoints.count(text), evidence.tokenLength(), List.of(), null);
    }

    /** The original with the queries that were kept. */
    Dataset original() {
        return original;
    }

    /** The double; meaningless when {@link #queries()} is 0. */
    Dataset reversed() {
        return reversed;
    }

    /**
     * Every query with its positions and scores.
     *
     * @param before scores on the original, in the order of its queries
     * @param after scores on the double
     */
    List<Reversal.Pair> pairs(double[] before, double[] after) {
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
    int queries() {
        return moved.size();
    }

    /** How many were left out because their evidence crosses the edge of a segment. */
    int crossing() {
        return queriesOf.values().stream().mapToInt(List::size).sum() - moved.size();
    }

    /** How many were left out because it is not known where in one passage their evidence lies. */
    int withoutSpan() {
        return withoutSpan;
    }

    /** How many passages of a single sentence stayed as they were. */
    int unchanged() {
        return unchanged;
    }

    /** Where the double lies until this is closed. */
    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        Staging.delete(folder);
    }
}
