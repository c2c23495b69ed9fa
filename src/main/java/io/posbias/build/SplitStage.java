package io.posbias.build;

import io.posbias.Fields;
import io.posbias.build.text.CodePointSpans;
import io.posbias.build.text.Draw;
import io.posbias.build.text.RecursiveSplitter;
import io.posbias.dataset.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Makes one candidate of each part of a document. Settings:
 *
 * <ul>
 *   <li>{@code by: recursive}: chunks of LangChain's recursive splitter, {@link RecursiveSplitter}, with {@code size} (256),
 *       {@code unit} (words), {@code overlap} (0) and {@code separators} (LangChain's own). FineWeb-PosQ (arXiv:2505.13950,
 *       section 3.2) says the splitter and 256 words; how words were counted and the overlap it does not say: ours
 *   <li>{@code by: thirds}: the beginning, the middle and the end, each with its target; {@code draw: 1} takes one of them at
 *       random. PosIR (arXiv:2601.08363, section 2) draws one target per document
 *   <li>{@code by: segments}: {@code n} parts of the same length
 *   <li>{@code borders} and {@code unit} of thirds and segments: {@link Segments}
 *   <li>{@code seed} of the draw
 * </ul>
 */
final class SplitStage implements Stage {
    private static final List<String> RECURSIVE_FIELDS = List.of("by", "size", "unit", "overlap", "separators");
    private static final List<String> SEPARATORS = List.of("\n\n", "\n", " ", "");
    private static final int WORDS = 256;

    private final Fields settings;
    private final Splitter splitter;
    private final boolean targets;
    private final int draw;

    /** Cuts a text; parts are in code points. */
    private interface Splitter {
        List<Span> split(String text, Workshop workshop);

        Object inputs(Workshop workshop);
    }

    SplitStage(Fields settings) {
        this.settings = settings;
        String by = settings.oneOf("by", "recursive", List.of("recursive", "thirds", "segments"));
        this.targets = by.equals("thirds");
        this.splitter = by.equals("recursive") ? recursive(settings) : segments(settings, targets);
        this.draw = settings.integer("draw", Candidate.POSITIONS.size());
        if (draw < 1 || draw > Candidate.POSITIONS.size()) {
            throw settings.bad("draw", "is " + draw, "it is 1, 2 or 3 targets per document");
        }
    }

    private static Splitter segments(Fields settings, boolean thirds) {
        List<String> known = new ArrayList<>(List.of("by"));
        known.addAll(Segments.FIELDS);
        known.addAll(thirds ? List.of("draw", "seed") : List.of("n"));
        settings.refuseOthers(known);
        int n = thirds ? Candidate.POSITIONS.size() : settings.positive("n");
        Segments segments = Segments.of(settings, n);
        return new Splitter() {
            @Override
            public List<Span> split(String text, Workshop workshop) {
                return segments.cut(text, workshop);
            }

            @Override
            public Object inputs(Workshop workshop) {
                return segments.inputs(workshop);
            }
        };
    }

    private static Splitter recursive(Fields settings) {
        settings.refuseOthers(RECURSIVE_FIELDS);
        int size = settings.integer("size", WORDS);
        int overlap = settings.integer("overlap", 0);
        if (overlap < 0 || size <= overlap) {
            throw settings.bad("overlap", "is " + overlap + " of size " + size, "it is 0 or more and below the size");
        }
        List<String> separators = settings.has("separators") ? settings.texts("separators") : SEPARATORS;
        LengthUnit unit = LengthUnit.of(settings, "unit", LengthUnit.WORDS);
        return new Splitter() {
            @Override
            public List<Span> split(String text, Workshop workshop) {
                return CodePointSpans.of(
                        text, new RecursiveSplitter(size, overlap, separators, unit.counter(workshop)).split(text));
            }

            @Override
            public Object inputs(Workshop workshop) {
                return unit.inputs(workshop);
            }
        };
    }

    @Override
    public Set<String> makes() {
        return targets ? Set.of(Candidate.PART, Candidate.TARGET) : Set.of(Candidate.PART);
    }

    @Override
    public Object inputs(Workshop workshop) {
        return splitter.inputs(workshop);
    }

    /** As many per document as the input's documents have on average, drawn or not. */
    @Override
    public Forecast forecast(Forecast before, Workshop workshop) {
        if (targets) {
            return Forecast.of(before.candidates() * draw);
        }
        long[] counts = new long[2];
        workshop.input().forEach((source, id, text) -> {
            counts[0]++;
            counts[1] += splitter.split(text, workshop).size();
        });
        return Forecast.of(counts[0] == 0 ? 0 : before.candidates() * counts[1] / counts[0]);
    }

    @Override
    public void run(Candidates candidates, StageSink out, Workshop workshop) {
        long seed = workshop.seed(settings);
        candidates.forEach(candidate -> {
            Candidate document = candidate.without(Candidate.TEXT);
            List<Span> parts = splitter.split(workshop.documents().text(candidate.document()), workshop);
            if (parts.isEmpty()) {
                out.drop(document, "too short to split");
            }
            for (int i : targets ? drawn(candidate.id(), parts.size(), seed) : all(parts.size())) {
                String name = targets ? Candidate.POSITIONS.get(i) : String.valueOf(i + 1);
                Candidate part = document.child(name).with(Candidate.PART, parts.get(i));
                out.keep(targets ? part.with(Candidate.TARGET, name) : part);
            }
        });
    }

    private static List<Integer> all(int n) {
        return IntStream.range(0, n).boxed().toList();
    }

    private List<Integer> drawn(String id, int n, long seed) {
        Comparator<Integer> order = (a, b) -> Long.compareUnsigned(
                Draw.priority(seed, id + "/" + Candidate.POSITIONS.get(a)),
                Draw.priority(seed, id + "/" + Candidate.POSITIONS.get(b)));
        return all(n).stream().sorted(order).limit(draw).sorted().toList();
    }
}
