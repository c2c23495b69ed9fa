package io.posbias.build;

import io.posbias.Fields;
import io.posbias.Plural;
import io.posbias.UsageException;
import io.posbias.build.text.BoundedDraw;
import io.posbias.build.text.Draw;
import io.posbias.build.text.LengthBuckets;
import io.posbias.build.text.RawChecks;
import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Draws documents from the input by length. Settings:
 *
 * <ul>
 *   <li>{@code unit} of lengths: words (default), characters, tokens:NAME
 *   <li>{@code edges} of the buckets of lengths, [lower, upper) each; absent: all lengths
 *   <li>{@code n} documents in all; absent: all there are
 *   <li>{@code ratio} of the buckets; absent: equal. Quotas by largest remainder
 *   <li>{@code markup}: drop (default) refuses documents with more than three tags; keep
 *   <li>{@code cut}: {@code {size: 500, unit: words}} first cuts longer documents into passages of at most about that size
 *       and at least about half of it, at the ends of sentences; passages are called ARTICLE#1 and so on
 *   <li>{@code seed} of the draw
 * </ul>
 *
 * <p>Drawn are the n of a bucket whose {@link Draw#priority} is smallest. FineWeb-PosQ (arXiv:2505.13950, section 3.2) and
 * PosIR (arXiv:2601.08363, section 2) say lengths and numbers; they do not say how they drew or which side of a bucket is
 * closed: ours. The input is read twice; held are digests, lengths and what is drawn, no texts.
 */
final class SampleStage implements Stage {
    private static final List<String> FIELDS = List.of("unit", "edges", "n", "ratio", "markup", "cut", "seed");

    private final Fields settings;
    private final LengthUnit unit;
    private final LengthBuckets buckets;
    private final Optional<Integer> n;
    private final boolean dropMarkup;
    private final Optional<Cut> cut;

    /** Passages that long documents are cut into. */
    private record Cut(int size, LengthUnit unit) {
        static Cut of(Fields settings) {
            settings.refuseOthers(List.of("size", "unit"));
            return new Cut(settings.positive("size"), LengthUnit.of(settings, "unit", LengthUnit.WORDS));
        }
    }

    SampleStage(Fields settings) {
        settings.refuseOthers(FIELDS);
        this.settings = settings;
        this.unit = LengthUnit.of(settings, "unit", LengthUnit.WORDS);
        this.buckets = LengthBuckets.of(settings);
        this.n = settings.has("n") ? Optional.of(settings.positive("n")) : Optional.empty();
        this.dropMarkup =
                settings.oneOf("markup", "drop", List.of("drop", "keep")).equals("drop");
        this.cut = settings.has("cut") ? Optional.of(Cut.of(settings.record("cut"))) : Optional.empty();
    }

    @Override
    public Set<String> makes() {
        return Set.of(Candidate.TEXT, Candidate.BUCKET);
    }

    @Override
    public Object inputs(Workshop workshop) {
        return List.of(
                unit.inputs(workshop),
                cut.map(some -> some.unit().inputs(workshop)).orElse(""));
    }

    @Override
    public Forecast forecast(Forecast before, Workshop workshop) {
        return Forecast.of(draw(workshop).drawn.cardinality());
    }

    @Override
    public void run(Candidates candidates, StageSink out, Workshop workshop) {
        Sample sample = draw(workshop);
        int[] next = {0};
        pieces(workshop, (source, id, text) -> {
            int ordinal = next[0]++;
            Candidate document = Candidate.document(source, id);
            if (sample.drawn.get(ordinal)) {
                int bucket = buckets.of(sample.lengths[ordinal]);
                out.keep(document.with(Candidate.BUCKET, buckets.name(bucket)).with(Candidate.TEXT, text));
            } else {
                sample.drop(ordinal, document, out);
            }
        });
        out.note("buckets", sample.counts(workshop));
    }

    /** Reads the input once and draws. */
    private Sample draw(Workshop workshop) {
        Sample sample = new Sample(workshop.seed(settings));
        RawChecks checks = new RawChecks(dropMarkup);
        ToIntFunction<String> length = unit.counter(workshop);
        pieces(workshop, (source, id, text) -> {
            Optional<String> refused = checks.refuse(id, text);
            if (refused.isPresent()) {
                sample.refuse(refused.get());
            } else {
                sample.add(id, length.applyAsInt(text));
            }
        });
        if (sample.size == 0) {
            throw new UsageException("--input holds no document");
        }
        sample.close();
        return sample;
    }

    /** The documents of the input, cut into passages where the settings say so. */
    private void pieces(Workshop workshop, RawDocuments.Visitor visitor) {
        if (cut.isEmpty()) {
            workshop.input().forEach(visitor);
            return;
        }
        int size = cut.get().size();
        ToIntFunction<String> length = cut.get().unit().counter(workshop);
        String language = workshop.pipeline().language();
        workshop.input().forEach((source, id, text) -> {
            int parts = Math.ceilDiv(length.applyAsInt(text), size);
            List<Span> spans = parts > 1 ? Segments.bySentences(text, language, parts, length) : List.of();
            if (spans.isEmpty()) {
                visitor.visit(source, id, text);
            }
            for (int i = 0; i < spans.size(); i++) {
                visitor.visit(
                        source,
                        id + "#" + (i + 1),
                        Segments.textOf(spans.get(i), text).strip());
            }
        });
    }

    /** What becomes of each document, and the draw of each bucket. */
    private final class Sample {
        /** Of each document its length; where it was not counted, -1 less the place of the reason. */
        private int[] lengths = new int[1024];

        private int size;
        private final List<String> reasons = new ArrayList<>();
        private final BitSet drawn = new BitSet();
        private final List<BoundedDraw<Integer>> draws;
        private final Optional<List<Long>> quotas = n.map(buckets::quotas);

        Sample(long seed) {
            draws = IntStream.range(0, buckets.size())
                    .mapToObj(bucket -> new BoundedDraw<Integer>(seed, quota(bucket)))
                    .toList();
        }

        private long quota(int bucket) {
            return quotas.map(each -> each.get(bucket)).orElse(Long.MAX_VALUE);
        }

        /** A document that is refused before its length is counted. */
        void refuse(String why) {
            if (!reasons.contains(why)) {
                reasons.add(why);
            }
            remember(-1 - reasons.indexOf(why));
        }

        void add(String id, int length) {
            int bucket = buckets.of(length);
            if (isBucket(bucket)) {
                draws.get(bucket).add(id, size);
            }
            remember(length);
        }

        private boolean isBucket(int bucket) {
            return bucket >= 0 && bucket < buckets.size();
        }

        private void remember(int length) {
            lengths = size < lengths.length ? lengths : Arrays.copyOf(lengths, 2 * size);
            lengths[size++] = length;
        }

        /** Drops a document that is not drawn. */
        void drop(int ordinal, Candidate document, StageSink out) {
            int length = lengths[ordinal];
            if (length < 0) {
                out.drop(document, reasons.get(-1 - length));
                return;
            }
            int bucket = buckets.of(length);
            String why = isBucket(bucket) ? "not drawn" : bucket < 0 ? "too short" : "too long";
            out.drop(document, why, "length " + length + " in " + unit);
        }

        void close() {
            draws.forEach(draw -> draw.drawn().forEach(drawn::set));
        }

        /** How many were drawn per bucket; those with fewer than they should have are said. */
        Map<String, Integer> counts(Workshop workshop) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            for (int i = 0; i < buckets.size(); i++) {
                int found = draws.get(i).size();
                counts.put(buckets.name(i), found);
                if (n.isPresent() && found < quota(i)) {
                    workshop.session()
                            .say("sample: lengths " + buckets.name(i) + ": " + Plural.of(found, "document")
                                    + ", fewer than the " + quota(i) + " asked for");
                }
            }
            return counts;
        }
    }
}
