package io.posbias.data.position;

import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Sentences;
import io.posbias.data.dataset.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Cuts windows of nearly equal length on sentence borders, with a piece of evidence at K places: at place k, from 1, the middle
 * of the evidence is in the k-th of K equal bins of the window, by code points as in {@link Evidence#relativeBin}.
 *
 * <p>A question finds more of its words around the middle of a window than around an end. The windows of a question
 * are therefore matched: at every place they contain the same terms of the question, with BM25 weights that differ by
 * at most {@code match}. The most similar windows are chosen; among equals the one nearest the wanted length, then
 * with the evidence nearest the middle of its bin, then the first.
 *
 * @param places at least 2
 * @param length wanted, in the unit
 * @param tolerance largest relative deviation of the length, from 0 to below 1
 * @param match largest relative difference of the terms' weights; {@value #ANY} disables matching
 * @param unit measures the length of a sentence
 * @param terms analyses a question or sentence
 * @param rarity weight of a term, above 0
 * @param language ISO 639-1 code; empty for general rules
 */
public record WindowCutter(
        int places,
        int length,
        double tolerance,
        double match,
        ToIntFunction<String> unit,
        Function<String, List<String>> terms,
        ToDoubleFunction<String> rarity,
        String language) {
    /** BM25's k1 and b. */
    private static final double K1 = 0.9;

    private static final double B = 0.4;

    public static final int PLACES = 5;

    public static final int LEAST_PLACES = 3;

    /** Default window length in words. */
    public static final int LENGTH = 150;

    public static final double TOLERANCE = 0.25;

    /** Default largest difference of weights. */
    public static final double MATCH = 0.03;

    /** Value of {@code match} that disables matching. */
    public static final double ANY = 1;

    /**
     * Whole sentences of a text.
     *
     * @param span in UTF-16 units of the text
     * @param evidence relative to the window; null for a tile
     */
    public record Window(Span span, int length, @Nullable Evidence evidence) {}

    /** Reason for a missing window. */
    public enum Unfit {
        /** The evidence sentences exceed a window. */
        LONG("evidence longer than a window"),
        /** Too little text before or after the evidence. */
        ENDS("evidence too near an end of its document"),
        /** Sentence borders prevent a window. */
        BORDERS("evidence that no window on sentence borders has at some place"),
        /** Question words occur on one side of the evidence only. */
        TERMS("question words that windows do not share");

        private final String words;

        Unfit(String words) {
            this.words = words;
        }

        /** Completes "queries with". */
        public String words() {
            return words;
        }
    }

    /**
     * Windows of a piece of evidence.
     *
     * @param windows by place; empty if one is missing
     * @param unfit null if none is missing
     */
    public record Cut(List<Window> windows, @Nullable Unfit unfit) {}

    /** Weights terms by their inverse frequency in the tiles of passages, as in BM25. */
    public WindowCutter weighing(Passages passages) {
        Map<String, Integer> holding = new HashMap<>();
        int[] all = {0};
        passages.inFileOrder((ordinal, passage) -> text(passage.text()).tiles().forEach(tile -> {
            all[0]++;
            new HashSet<>(terms.apply(tile.span().of(passage.text())))
                    .forEach(term -> holding.merge(term, 1, Integer::sum));
        }));
        return new WindowCutter(
                places,
                length,
                tolerance,
                match,
                unit,
                terms,
                term -> {
                    int own = holding.getOrDefault(term, 0);
                    return Math.log1p((all[0] - own + 0.5) / (own + 0.5));
                },
                language);
    }

    public Text text(String text) {
        return new Text(Sentences.of(text, language));
    }

    private boolean fits(int own) {
        return Math.abs(own - length) <= tolerance * length;
    }

    private boolean exceeds(int own) {
        return own > length && !fits(own);
    }

    /** A text with its sentences measured. */
    public final class Text {
        private final Sentences sentences;
        /** Total length of the first i sentences. */
        private final int[] lengths;

        private final List<Map<String, Integer>> counts = new ArrayList<>();

        private Text(Sentences sentences) {
            this.sentences = sentences;
            this.lengths = new int[sentences.size() + 1];
            for (int i = 0; i < sentences.size(); i++) {
                String sentence = sentences.spans().get(i).of(sentences.text());
                lengths[i + 1] = lengths[i] + unit.applyAsInt(sentence);
                Map<String, Integer> own = new HashMap<>();
                terms.apply(sentence).forEach(term -> own.merge(term, 1, Integer::sum));
                counts.add(own);
            }
        }

        private int length(int from, int to) {
            return lengths[to] - lengths[from];
        }

        /**
         * Cuts the windows of all places.
         *
         * @param evidence in UTF-16 units
         * @throws IllegalArgumentException if the evidence is white space
         */
        public Cut cut(Span evidence, String question) {
            Sentences.Range own = sentences
                    .holding(evidence)
                    .orElseThrow(() -> new IllegalArgumentException("no sentence holds " + evidence));
            List<String> asked = terms.apply(question).stream().distinct().toList();
            List<List<Candidate>> candidates = new ArrayList<>();
            IntStream.range(0, places).forEach(place -> candidates.add(new ArrayList<>()));
            for (int from = own.from(); from >= 0 && !exceeds(length(from, own.to())); from--) {
                for (int to = own.to(); to <= sentences.size() && !exceeds(length(from, to)); to++) {
                    if (fits(length(from, to))) {
                        Candidate candidate = candidate(from, to, evidence, asked);
                        candidates.get(candidate.bin).add(candidate);
                    }
                }
            }
            if (candidates.stream().anyMatch(List::isEmpty)) {
                return new Cut(List.of(), unfit(own));
            }
            List<Candidate> matched = matched(candidates);
            return new Cut(matched.stream().map(Candidate::window).toList(), matched.isEmpty() ? Unfit.TERMS : null);
        }

        private Unfit unfit(Sentences.Range own) {
            if (exceeds(length(own.from(), own.to()))) {
                return Unfit.LONG;
            }
            int after = length(own.from(), sentences.size());
            int before = length(0, own.to());
            double least = length - tolerance * length;
            return after < least || before < least ? Unfit.ENDS : Unfit.BORDERS;
        }

        private Candidate candidate(int from, int to, Span evidence, List<String> asked) {
            Span span = span(from, to);
            // A span may begin or end with white space, which is in no sentence.
            Span inside = new Span(
                    Math.max(0, evidence.start() - span.start()), Math.min(evidence.end(), span.end()) - span.start());
            return new Candidate(
                    span,
                    length(from, to),
                    Sentences.evidence(span.of(sentences.text()), inside, Evidence.UNKNOWN),
                    asked,
                    asked.stream()
                            .mapToInt(term -> IntStream.range(from, to)
                                    .map(i -> counts.get(i).getOrDefault(term, 0))
                                    .sum())
                            .toArray());
        }

        private Span span(int from, int to) {
            return new Span(
                    sentences.spans().get(from).start(),
                    sentences.spans().get(to - 1).end());
        }

        /**
         * The whole text as consecutive windows of nearly the wanted length; the last one overlaps the previous one to have
         * full length. A shorter text is one tile.
         */
        public List<Window> tiles() {
            List<Window> tiles = new ArrayList<>();
            int from = 0;
            while (from < sentences.size()) {
                int start = from;
                int to = nearest(IntStream.rangeClosed(start + 1, sentences.size()), start, true);
                if (to == sentences.size()) {
                    int end = to;
                    start = Math.min(start, nearest(IntStream.range(0, end).map(i -> end - 1 - i), end, false));
                }
                tiles.add(new Window(span(start, to), length(start, to), null));
                from = to;
            }
            return tiles;
        }

        /** The border with the length nearest the wanted one, the first of equals. */
        private int nearest(IntStream borders, int other, boolean forward) {
            int best = -1;
            int least = Integer.MAX_VALUE;
            for (int border : borders.toArray()) {
                int off = Math.abs((forward ? length(other, border) : length(border, other)) - length);
                if (off >= least) {
                    break;
                }
                best = border;
                least = off;
            }
            return best;
        }
    }

    /** BM25 weight of a term in a window, without its rarity. */
    double weight(int count, int own) {
        return count / (count + K1 * (1 - B + B * own / length));
    }

    /** The most similar candidates, one per place; empty if no terms match at all places. */
    private List<Candidate> matched(List<List<Candidate>> candidates) {
        List<Candidate> best = List.of();
        double least = Double.POSITIVE_INFINITY;
        for (Candidate target : candidates.stream().flatMap(List::stream).toList()) {
            List<Candidate> likest = candidates.stream()
                    .flatMap(own -> own.stream().filter(target::isLike).min(target.likest()).stream())
                    .toList();
            double apart = likest.stream().mapToDouble(target::apart).sum();
            if (likest.size() == places && apart < least) {
                best = likest;
                least = apart;
            }
        }
        return best;
    }

    private final class Candidate {
        private final Span span;
        private final int own;
        private final Evidence evidence;
        private final int bin;
        private final int[] counts;
        private final double weight;

        private Candidate(Span span, int own, Evidence evidence, List<String> asked, int[] counts) {
            this.span = span;
            this.own = own;
            this.evidence = evidence;
            this.bin = evidence.relativeBin(places);
            this.counts = counts;
            this.weight = IntStream.range(0, counts.length)
                    .mapToDouble(term -> rarity.applyAsDouble(asked.get(term)) * weight(counts[term], own))
                    .sum();
        }

        private Window window() {
            return new Window(span, own, evidence);
        }

        /** Distance of the evidence from the middle of its bin, relative to the window. */
        private double aside() {
            return Math.abs(evidence.relativePosition() - (bin + 0.5) / places);
        }

        /** Returns true if the same terms occur with about equal weights. */
        private boolean isLike(Candidate other) {
            return match >= ANY
                    || (apart(other) <= match * weight
                            && IntStream.range(0, counts.length)
                                    .allMatch(term -> counts[term] > 0 == other.counts[term] > 0));
        }

        private double apart(Candidate other) {
            return Math.abs(weight - other.weight);
        }

        private Comparator<Candidate> likest() {
            return Comparator.comparingDouble(this::apart)
                    .thenComparingInt(other -> Math.abs(other.own - length))
                    .thenComparingDouble(Candidate::aside)
                    .thenComparingInt(other -> other.span.start());
        }
    }
}
