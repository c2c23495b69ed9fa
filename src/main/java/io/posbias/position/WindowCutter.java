package io.posbias.position;

import io.posbias.dataset.Evidence;
import io.posbias.dataset.Passages;
import io.posbias.dataset.Sentences;
import io.posbias.dataset.Span;
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
 * Cuts windows of about one length out of a text, on sentence borders, in which one piece of evidence lies at K places. Place k
 * of K, from 1: the middle of the evidence is in the k-th of K equal bins of the window, by code points and as {@link
 * Evidence#relativeBin} counts.
 *
 * <p>The words around the evidence change with the place, and a question finds more of its own words around the middle of a
 * window than around an end. So the windows of a question are matched: at every place they hold the same of the question's
 * terms, and these weigh the same within {@code match}, summed up as BM25 does it. Of all choices that is cut which is most
 * alike; of equal windows of a place the one whose length is nearest the wanted one, then the one with the evidence nearest the
 * middle of its bin, then the first.
 *
 * @param places K, at least 2
 * @param length wanted, in the unit
 * @param tolerance by how much of it a window may be longer or shorter, from 0 to below 1
 * @param match how far the weights of the question's terms may be apart, as a part of the whole; with {@value #ANY} windows
 *     are not matched
 * @param unit the length of a sentence; a window's is the sum over its sentences
 * @param terms of a question or a sentence
 * @param rarity what a term weighs, above 0, for example its inverse document frequency
 * @param language of the texts, as an ISO 639-1 code; empty for the rules that suit most languages
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
    /** BM25's k1 and b, by which a term's weight saturates. */
    private static final double K1 = 0.9;

    private static final double B = 0.4;

    /** Places, unless told otherwise. */
    public static final int PLACES = 5;

    /** Fewer places would leave none between the ends. */
    public static final int LEAST_PLACES = 3;

    /** Words of a window, unless told otherwise. */
    public static final int LENGTH = 150;

    /** Tolerance, unless told otherwise. */
    public static final double TOLERANCE = 0.25;

    /** Difference of weights, unless told otherwise. */
    public static final double MATCH = 0.03;

    /** As {@code match}, leaves windows as different as they are. */
    public static final double ANY = 1;

    /**
     * A part of a text, whole sentences of it.
     *
     * @param span where it is in the text, in UTF-16 units
     * @param length in the cutter's unit
     * @param evidence the evidence in it, measured from its start; null for a tile
     */
    public record Window(Span span, int length, @Nullable Evidence evidence) {}

    /** Why evidence has no window at some place. */
    public enum Unfit {
        /** Its sentences alone exceed a window. */
        LONG("evidence longer than a window"),
        /** Too little text before or after it. */
        ENDS("evidence too near an end of its document"),
        /** The borders of sentences do not allow it. */
        BORDERS("evidence that no window on sentence borders has at some place"),
        /** The words of the question are around it on one side. */
        TERMS("question words that windows do not share");

        private final String words;

        Unfit(String words) {
            this.words = words;
        }

        /** In words, after "queries with". */
        public String words() {
            return words;
        }
    }

    /**
     * The windows of a piece of evidence.
     *
     * @param windows by place, all of them; empty where one is missing
     * @param unfit why one is missing; null where none is
     */
    public record Cut(List<Window> windows, @Nullable Unfit unfit) {}

    /** Returns a cutter whose terms weigh their inverse frequency in the tiles of some passages, as BM25 has it. */
    public WindowCutter weighing(Passages passages) {
        Map<String, Integer> holding = new HashMap<>();
        int[] all = {0};
        passages.forEach((ordinal, passage) -> text(passage.text()).tiles().forEach(tile -> {
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

    /** A text that is made ready to be cut. */
    public Text text(String text) {
        return new Text(Sentences.of(text, language));
    }

    private boolean fits(int own) {
        return Math.abs(own - length) <= tolerance * length;
    }

    private boolean exceeds(int own) {
        return own > length && !fits(own);
    }

    /** A text with its sentences counted. */
    public final class Text {
        private final Sentences sentences;
        /** Lengths of the first i sentences together. */
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
         * The windows of a piece of evidence at all places.
         *
         * @param evidence in UTF-16 units of the text, not only white space
         * @param question what is asked
         * @throws IllegalArgumentException if the evidence is nothing but white space
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
         * The whole text as windows one after another, each of the sentences that bring it nearest the wanted length; the last
         * reaches back to be as long as the others. A text shorter than a window is one tile.
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

        /** The border at which the text from or up to another is nearest the wanted length, the first of equals. */
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

    /**
     * What a term weighs in a window, as BM25 has it with the wanted length for the mean one and without the term's rarity.
     *
     * @param count how often it is there
     * @param own the window's length
     */
    double weight(int count, int own) {
        return count / (count + K1 * (1 - B + B * own / length));
    }

    /** One candidate of each place, the most alike; empty where no terms are at all places. */
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

    /** A window that may be cut. */
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

        /** How far the evidence is from the middle of its bin, in parts of the window. */
        private double aside() {
            return Math.abs(evidence.relativePosition() - (bin + 0.5) / places);
        }

        /** Whether it holds the same terms, and they weigh about the same. */
        private boolean isLike(Candidate other) {
            return match >= ANY
                    || (apart(other) <= match * weight
                            && IntStream.range(0, counts.length)
                                    .allMatch(term -> counts[term] > 0 == other.counts[term] > 0));
        }

        private double apart(Candidate other) {
            return Math.abs(weight - other.weight);
        }

        /** Those that weigh as this one does come first. */
        private Comparator<Candidate> likest() {
            return Comparator.comparingDouble(this::apart)
                    .thenComparingInt(other -> Math.abs(other.own - length))
                    .thenComparingDouble(Candidate::aside)
                    .thenComparingInt(other -> other.span.start());
        }
    }
}
