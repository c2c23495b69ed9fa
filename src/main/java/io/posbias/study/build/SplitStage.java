package io.posbias.study.build;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.text.Draw;
import io.posbias.study.build.text.RecursiveSplitter;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Splits each document into one candidate per part. Other settings depend on {@code by}. */
sealed interface SplitStage extends Stage {
    static SplitStage of(Fields settings) {
        return switch (settings.oneOf("by", "recursive", List.of("recursive", "thirds", "segments"))) {
            case "thirds" -> Json.settings(settings, Thirds.class);
            case "segments" -> Json.settings(settings, Equal.class);
            default -> Json.settings(settings, Recursive.class);
        };
    }

    /** Returns the parts in code points; empty if the text is too short. */
    List<Span> split(String text, StageContext context);

    /** Returns the indices of the parts that become candidates. */
    default List<Integer> chosen(String document, int parts, StageContext context) {
        return IntStream.range(0, parts).boxed().toList();
    }

    @Override
    default Set<String> producedFields() {
        return Set.of(Candidate.PART);
    }

    /** Expects the average number of parts of the input's documents. */
    @Override
    default Forecast forecast(Forecast before, StageContext context) {
        long[] counts = new long[2];
        context.input().forEach((source, id, text) -> {
            counts[0]++;
            counts[1] += split(text, context).size();
        });
        return Forecast.of(counts[0] == 0 ? 0 : before.candidates() * counts[1] / counts[0]);
    }

    @Override
    default void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        boolean targets = producedFields().contains(Candidate.TARGET);
        candidates.forEach(candidate -> {
            Candidate document = candidate.without(Candidate.TEXT);
            List<Span> parts = split(context.text(candidate), context);
            if (parts.isEmpty()) {
                out.drop(document, LostDocuments.TOO_SHORT_TO_SPLIT);
            }
            for (int i : chosen(candidate.id(), parts.size(), context)) {
                String name = targets ? Candidate.POSITIONS.get(i) : String.valueOf(i + 1);
                Candidate part = document.child(name).with(Candidate.PART, parts.get(i));
                out.keep(targets ? part.with(Candidate.TARGET, name) : part);
            }
        });
    }

    /**
     * Chunks of LangChain's recursive splitter ({@link RecursiveSplitter}). FineWeb-PosQ (arXiv:2505.13950, section
     * 3.2) uses 256 words; word counting and overlap are our choice.
     *
     * @param size maximum chunk length
     * @param overlap maximum overlap of neighbours, below the size
     * @param separators in the order of trial; by default LangChain's
     */
    record Recursive(
            @Nullable String by,
            @Setting(usual = "256", least = 1) int size,
            @Setting(usual = "words") LengthUnit unit,
            @Setting(usual = "0", least = 0) int overlap,

            @Setting(usual = "[\"\\n\\n\", \"\\n\", \" \", \"\"]")
            List<String> separators)
            implements SplitStage {
        public Recursive {
            if (size <= overlap) {
                throw new Setting.Wrong(
                        "overlap", "is " + overlap + " of size " + size, "it is 0 or more and below the size");
            }
        }

        @Override
        public List<Span> split(String text, StageContext context) {
            return CodePoints.fromUtf16(
                    text, new RecursiveSplitter(size, overlap, separators, unit.counter(context)).split(text));
        }

        @Override
        public Object inputs(StageContext context) {
            return unit.inputs(context);
        }
    }

    record Equal(
            String by,
            @Setting(least = 1) int n,
            @JsonUnwrapped Segments segments) implements SplitStage {
        @Override
        public List<Span> split(String text, StageContext context) {
            return segments.cut(text, n, context);
        }

        @Override
        public Object inputs(StageContext context) {
            return segments.inputs(context);
        }
    }

    /**
     * Beginning, middle and end, each with its target.
     *
     * @param draw parts drawn per document; PosIR (arXiv:2601.08363, section 2) draws one
     */
    record Thirds(
            String by,
            @JsonUnwrapped Segments segments,
            @Setting(usual = "3", least = 1, most = 3) int draw,
            @Nullable Integer seed)
            implements SplitStage {
        @Override
        public List<Span> split(String text, StageContext context) {
            return segments.cut(text, Candidate.POSITIONS.size(), context);
        }

        @Override
        public List<Integer> chosen(String document, int parts, StageContext context) {
            long own = context.seed(seed);
            Comparator<Integer> order = (a, b) -> Long.compareUnsigned(
                    Draw.priority(own, document + "/" + Candidate.POSITIONS.get(a)),
                    Draw.priority(own, document + "/" + Candidate.POSITIONS.get(b)));
            return SplitStage.super.chosen(document, parts, context).stream()
                    .sorted(order)
                    .limit(draw)
                    .sorted()
                    .toList();
        }

        @Override
        public Set<String> producedFields() {
            return Set.of(Candidate.PART, Candidate.TARGET);
        }

        @Override
        public Object inputs(StageContext context) {
            return segments.inputs(context);
        }

        @Override
        public Forecast forecast(Forecast before, StageContext context) {
            return Forecast.of(before.candidates() * draw);
        }
    }
}
