package io.posbias.study.diagnose;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import io.posbias.run.placing.Documents;
import io.posbias.score.measure.Clustering;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark and its copy with reversed segments. Both hold the queries whose evidence is in the one relevant passage and
 * inside one segment. Passages are reversed on each read.
 *
 * @param segments of each query, as {@link Reversal.MovedQuery#segment}
 */
public record ReversedBenchmark(
        Dataset original,
        Dataset reversed,
        Map<String, Double> segments,
        int crossing,
        int withoutSpan,
        int unchanged) {
    /**
     * Maps the evidence of all queries.
     *
     * @param segments maximum per passage, at least 2
     */
    public static ReversedBenchmark of(Dataset whole, int segments) {
        Locale locale = Locale.forLanguageTag(whole.card().language());
        Documents documents = new Documents(whole, null, 0);
        Map<Integer, List<Query>> queriesOf =
                documents.evident().stream().collect(Collectors.groupingBy(documents::passage));
        Map<String, Query> moved = new HashMap<>();
        Map<String, Double> places = new HashMap<>();
        AtomicInteger unchanged = new AtomicInteger();
        whole.passages().inFileOrder((ordinal, passage) -> {
            SegmentReversal reversal = SegmentReversal.of(passage.text(), segments, locale);
            unchanged.addAndGet(reversal.segments().size() < 2 ? 1 : 0);
            for (Query query : queriesOf.getOrDefault(ordinal, List.of())) {
                move(query, reversal).ifPresent(there -> {
                    moved.put(query.id(), there);
                    places.put(query.id(), reversal.middle(span(query)));
                });
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
                places,
                known - here.size(),
                all.size() - known,
                unchanged.get());
    }

    /** Labels name the original position and are dropped. */
    private static Optional<Query> move(Query query, SegmentReversal reversal) {
        Evidence evidence = Objects.requireNonNull(query.evidence());
        return Optional.ofNullable(reversal.move(span(query)))
                .map(moved -> Sentences.evidence(reversal.text(), moved, evidence.tokenLength()))
                .map(query::with);
    }

    private static Span span(Query query) {
        return Objects.requireNonNull(Objects.requireNonNull(query.evidence()).span());
    }

    /** Every query with its positions and scores, given in the order of the queries. */
    public List<Reversal.MovedQuery> pairs(double[] before, double[] after, Clustering.By cluster) {
        List<String> clusters =
                Clustering.of(original, original.judgedQueries(), cluster).names();
        List<Query> then = original.judgedQueries();
        List<Query> now = reversed.judgedQueries();
        return IntStream.range(0, before.length)
                .mapToObj(i -> new Reversal.MovedQuery(
                        then.get(i).id(),
                        clusters.get(i),
                        position(then.get(i)),
                        position(now.get(i)),
                        Objects.requireNonNull(segments.get(then.get(i).id())),
                        before[i],
                        after[i]))
                .toList();
    }

    private static double position(Query query) {
        return Objects.requireNonNull(query.evidence()).relativePosition();
    }

    public int queries() {
        return original.judgedQueries().size();
    }

    /**
     * A text with its segments in reverse order. Segments are runs of whole sentences of nearly equal number; the white space
     * between them stays, so that the text keeps its length.
     *
     * @param segments in the original text; empty for a blank text
     * @param starts new start of each segment
     */
    public record SegmentReversal(String text, List<Span> segments, List<Integer> starts) {
        /**
         * Reverses a text.
         *
         * @param segments at least 2; texts with fewer sentences have one segment per sentence
         */
        public static SegmentReversal of(String text, int segments, Locale locale) {
            List<Span> sentences = Sentences.spans(text, locale);
            int count = Math.min(segments, sentences.size());
            List<Span> spans = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Span first = sentences.get((int) ((long) i * sentences.size() / count));
                Span last = sentences.get((int) ((i + 1L) * sentences.size() / count) - 1);
                spans.add(new Span(first.start(), last.end()));
            }
            StringBuilder reversed = new StringBuilder(text.length());
            List<Integer> starts = new ArrayList<>();
            int gapStart = 0;
            for (int place = 0; place < count; place++) {
                reversed.append(text, gapStart, spans.get(place).start());
                starts.addFirst(reversed.length());
                reversed.append(spans.get(count - 1 - place).of(text));
                gapStart = spans.get(place).end();
            }
            reversed.append(text, gapStart, text.length());
            return new SegmentReversal(reversed.toString(), spans, starts);
        }

        /**
         * Maps a span of the original text, in UTF-16 units.
         *
         * @return null if the span is not inside one segment
         */
        public @Nullable Span move(Span part) {
            int place = place(part);
            if (place < 0) {
                return null;
            }
            int shift = starts.get(place) - segments.get(place).start();
            return new Span(part.start() + shift, part.end() + shift);
        }

        /** Returns the middle of the segment that a span is inside, among the segments: 0.1 is the first of five. */
        double middle(Span part) {
            return (place(part) + 0.5) / segments.size();
        }

        private int place(Span part) {
            return IntStream.range(0, segments.size())
                    .filter(i -> segments.get(i).start() <= part.start()
                            && part.end() <= segments.get(i).end())
                    .findFirst()
                    .orElse(-1);
        }
    }
}
