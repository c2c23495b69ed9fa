package io.posbias.study.build;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Language;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.PlainDocuments;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.text.BoundedDraw;
import io.posbias.study.build.text.Draw;
import io.posbias.study.build.text.LengthBuckets;
import io.posbias.study.build.text.RawChecks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Draws documents by length: per bucket the n with the smallest {@link Draw#priority}. FineWeb-PosQ
 * (arXiv:2505.13950, section 3.2) and PosIR (arXiv:2601.08363, section 2) give lengths and counts; the draw and
 * half-open buckets are our choice. The input is read twice and never held in memory.
 *
 * @param edges of length buckets [lower, upper); none: all lengths
 * @param n documents in all; null: all
 * @param ratio of the buckets; null: equal. Quotas by largest remainder
 * @param markup {@code drop} refuses documents with more than three tags (our choice, no paper has it)
 * @param cut splits longer documents into passages ARTICLE#1 and so on
 */
record SampleStage(
        @Setting(usual = "words") LengthUnit unit,
        @Setting(usual = "[]") List<Integer> edges,
        @Setting(least = 1) @Nullable Integer n,
        @Nullable List<Integer> ratio,

        @Setting(words = {"keep", "drop"}) String markup,

        @Nullable Cut cut,
        @Nullable Integer seed)
        implements Stage {
    /** In the note of documents of which some were cut. */
    static final String CUT = ", cut into ";

    /**
     * Passages that end with sentences.
     *
     * @param size approximate maximum; passages have at least about half of it
     */
    record Cut(
            @Setting(least = 1) int size,
            @Setting(usual = "words") LengthUnit unit) {}

    SampleStage {
        LengthBuckets.of(edges, ratio);
    }

    @Override
    public Set<String> producedFields() {
        return Set.of(Candidate.TEXT, Candidate.BUCKET);
    }

    @Override
    public Object inputs(StageContext context) {
        return List.of(unit.inputs(context), cut == null ? "" : cut.unit().inputs(context));
    }

    @Override
    public Forecast forecast(Forecast before, StageContext context) {
        return Forecast.of(draw(context).drawn.cardinality());
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        Sample sample = draw(context);
        int[] next = {0};
        int[] documents = {0};
        int[] leftOut = {0};
        Map<String, Long> unused = new TreeMap<>();
        forEachDocument(context, (source, passages) -> {
            List<String> lost = new ArrayList<>();
            for (Passage passage : passages) {
                int ordinal = next[0]++;
                Candidate document = Candidate.document(source, passage.id());
                if (!passage.article().isEmpty()) {
                    document = document.with(Candidate.ARTICLE, passage.article());
                }
                if (sample.drawn.get(ordinal)) {
                    int bucket = sample.buckets.of(sample.lengths[ordinal]);
                    out.keep(document.with(Candidate.BUCKET, sample.buckets.name(bucket))
                            .with(Candidate.TEXT, passage.text()));
                } else {
                    lost.add(sample.drop(ordinal, document, out));
                }
            }
            documents[0]++;
            leftOut[0] += source.integer(PlainDocuments.LEFT_OUT, 0);
            if (lost.size() == passages.size()) {
                unused.merge(lost.getFirst(), 1L, Long::sum);
            }
        });
        out.note("buckets", sample.counts(context));
        long used = documents[0]
                - unused.values().stream().mapToLong(Long::longValue).sum();
        out.note(
                PipelineRecord.DOCUMENTS,
                used + " of " + Plural.of(documents[0], "document") + " used" + PipelineRecord.reasons(unused)
                        + sample.cuts(documents[0])
                        + (leftOut[0] == 0
                                ? ""
                                : "; left out " + Plural.of(leftOut[0], "line") + " of front matter, code and tables"));
    }

    private Sample draw(StageContext context) {
        Sample sample = new Sample(context.seed(seed));
        RawChecks checks = new RawChecks(markup.equals("drop"));
        Language.Letters letters = new Language.Letters();
        ToIntFunction<String> length = unit.counter(context);
        forEachDocument(
                context,
                (source, passages) -> passages.forEach(passage -> {
                    Optional<String> refused = checks.refuse(passage.text());
                    if (refused.isPresent()) {
                        sample.refuse(refused.get());
                    } else {
                        letters.add(passage.text());
                        sample.add(passage.id(), length.applyAsInt(passage.text()));
                    }
                }));
        // A stage that writes a benchmark refuses it as well, after the calls of the stages before.
        letters.check(context.language());
        if (sample.size == 0) {
            throw new UsageException("--input holds no document");
        }
        sample.draws.forEach(draw -> draw.drawn().forEach(sample.drawn::set));
        return sample;
    }

    /** A document; its article is the first of those of which each begins with the end of the one before. */
    private record Whole(Fields source, String id, String text, String article) {
        /** Characters that two documents must share: fewer may be alike by chance. */
        private static final int LEAST = 40;

        boolean isContinuedBy(String other) {
            String next = other.strip();
            int at = next.length() < LEAST ? -1 : text.lastIndexOf(next.substring(0, LEAST));
            return at > 0 && next.startsWith(text.substring(at).strip());
        }

        Whole of(String whole) {
            return new Whole(source, id, text, whole);
        }
    }

    /** Visits the documents with their passages: DOCUMENT#1 and so on, or the whole document. */
    private void forEachDocument(StageContext context, BiConsumer<Fields, List<Passage>> visitor) {
        ToIntFunction<String> length = cut == null ? text -> 0 : cut.unit().counter(context);
        @Nullable Whole[] last = {null};
        context.input().forEach((source, id, text) -> {
            Whole before = last[0];
            Whole next = new Whole(source, id, text, "");
            if (before != null) {
                if (before.isContinuedBy(text)) {
                    before = before.of(before.article.isEmpty() ? before.id : before.article);
                    next = next.of(before.article);
                }
                visitor.accept(before.source, passages(before, length, context));
            }
            last[0] = next;
        });
        Whole end = last[0];
        if (end != null) {
            visitor.accept(end.source, passages(end, length, context));
        }
    }

    private List<Passage> passages(Whole document, ToIntFunction<String> length, StageContext context) {
        int parts = cut == null ? 1 : Math.ceilDiv(length.applyAsInt(document.text), cut.size());
        List<Span> spans =
                parts > 1 ? Segments.bySentences(document.text, context.language(), parts, length) : List.of();
        List<Passage> passages = new ArrayList<>();
        for (Span span : spans) {
            String part = Segments.textOf(span, document.text).strip();
            passages.add(new Passage(document.id + "#" + (passages.size() + 1), "", part));
        }
        return passages.isEmpty() ? List.of(new Passage(document.id, "", document.text, document.article)) : passages;
    }

    private final class Sample {
        private int[] lengths = new int[1024];

        private int size;
        private final List<String> reasons = new ArrayList<>();
        private final BitSet drawn = new BitSet();
        private final List<BoundedDraw<Integer>> draws;
        private final LengthBuckets buckets = LengthBuckets.of(edges, ratio);
        private final Optional<List<Long>> quotas = Optional.ofNullable(n).map(buckets::quotas);

        Sample(long seed) {
            draws = IntStream.range(0, buckets.size())
                    .mapToObj(bucket -> new BoundedDraw<Integer>(seed, quota(bucket)))
                    .toList();
        }

        private long quota(int bucket) {
            return quotas.map(each -> each.get(bucket)).orElse(Long.MAX_VALUE);
        }

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

        /** Says into how many passages the documents were cut; empty if none was. */
        String cuts(int documents) {
            double mean = Arrays.stream(lengths, 0, size)
                    .filter(length -> length >= 0)
                    .average()
                    .orElse(0);
            return size == documents
                    ? ""
                    : CUT + Plural.of(size, "passage") + " of about " + Math.round(mean) + " " + unit;
        }

        /** Drops a passage and returns the reason. */
        String drop(int ordinal, Candidate passage, Candidates.Sink out) {
            int length = lengths[ordinal];
            if (length < 0) {
                String why = reasons.get(-1 - length);
                out.drop(passage, why);
                return why;
            }
            int bucket = buckets.of(length);
            String tooLong = cut == null ? LostDocuments.TOO_LONG : LostDocuments.UNCUT;
            String why = isBucket(bucket) ? "not drawn" : bucket < 0 ? LostDocuments.TOO_SHORT : tooLong;
            out.drop(passage, why, "length " + length + " in " + unit);
            return why;
        }

        /** Returns the drawn documents per bucket and reports buckets below their quota. */
        Map<String, Integer> counts(StageContext context) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            for (int i = 0; i < buckets.size(); i++) {
                int found = draws.get(i).size();
                counts.put(buckets.name(i), found);
                if (n != null && found < quota(i)) {
                    context.session()
                            .say("sample: lengths " + buckets.name(i) + ": " + Plural.of(found, "document")
                                    + ", fewer than the " + quota(i) + " asked for");
                }
            }
            return counts;
        }
    }
}
