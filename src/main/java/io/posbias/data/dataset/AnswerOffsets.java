package io.posbias.data.dataset;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Places of answers whose offsets may be off, or counted in another unit than code points. The answers of a file are added, then
 * their offsets are read in the unit in which most answers stand at theirs. An answer that does not is placed where it stands in
 * its text: at the only place, or at the one that is as far from its offset as the answers before and after it in the text, or,
 * in a text without others, as more than half of the file's answers.
 */
public final class AnswerOffsets {
    /** Units in the order of preference; the first is that of all other offsets. */
    private static final List<Unit> UNITS = List.of(
            unit("code points", "(?!)", piece -> 1),
            unit("UTF-16 units", "[\\x{10000}-\\x{10FFFF}]", String::length),
            unit("UTF-8 bytes", "[^\\x00-\\x7F]", piece -> piece.getBytes(StandardCharsets.UTF_8).length),
            unit("CRLF as one character", "\r\n", piece -> 1),
            unit("a line break as two characters", "(?<!\r)\n", piece -> 2),
            unit("an entity such as &amp; as one character", "&(?:#\\d+|#x\\p{XDigit}+|\\p{Alpha}+);", piece -> 1),
            unit("& < > as entities such as &amp;", "[&<>]", piece -> piece.equals("&") ? 5 : 4));

    private final Map<String, Answer> answers = new LinkedHashMap<>();

    /** Null until a place is asked for. */
    private @Nullable Settled settled;

    /**
     * A unit that counts a code point as one, but for some pieces of text.
     *
     * @param size of a piece
     */
    private record Unit(String words, Pattern pieces, ToIntFunction<String> size) {
        /** Returns an offset in code points; empty within a piece. */
        Optional<Integer> points(String text, int offset) {
            int units = 0;
            int points = 0;
            int at = 0;
            for (MatchResult piece :
                    (Iterable<MatchResult>) pieces.matcher(text).results()::iterator) {
                int plain = text.codePointCount(at, piece.start());
                if (units + plain >= offset) {
                    break;
                }
                units += plain + size.applyAsInt(piece.group());
                points += plain + CodePoints.count(piece.group());
                at = piece.end();
            }
            return units > offset ? Optional.empty() : Optional.of(points + offset - units);
        }
    }

    private static Unit unit(String words, String pieces, ToIntFunction<String> size) {
        return new Unit(words, Pattern.compile(pieces), size);
    }

    /**
     * An answer of the file, in code points.
     *
     * @param passage identifier of its text
     * @param readings of its span by unit
     * @param places where it stands; at least one
     */
    private record Answer(Object passage, List<Reading> readings, List<Span> places) {}

    /**
     * A span in one unit.
     *
     * @param start as the file says it if it is within a piece
     * @param span null if no answer stands there
     */
    private record Reading(int start, @Nullable Span span) {}

    /**
     * Adds the answers of a question.
     *
     * @param id of the question
     * @param passage identifier of the text
     * @param said span that the file says, from 0
     * @param texts of the answers
     * @return false if no answer stands in the text, and nothing was added
     */
    public boolean add(String id, Object passage, String text, Span said, List<String> texts) {
        List<Span> places = CodePoints.fromUtf16(
                text,
                Answers.places(text, texts).stream()
                        .sorted(Comparator.comparingInt(Span::start))
                        .toList());
        if (places.isEmpty()) {
            return false;
        }
        List<Reading> readings = UNITS.stream()
                .map(unit -> {
                    Optional<Integer> start = unit.points(text, said.start());
                    return new Reading(
                            start.orElse(said.start()),
                            start.flatMap(from -> unit.points(text, said.end()).map(to -> new Span(from, to)))
                                    .filter(span -> stands(span, text, texts, places))
                                    .orElse(null));
                })
                .toList();
        answers.put(id, new Answer(passage, readings, places));
        return true;
    }

    private static boolean stands(Span span, String text, List<String> texts, List<Span> places) {
        int length = CodePoints.count(text);
        if (span.start() > length) {
            return false;
        }
        Span inside = new Span(span.start(), Math.min(span.end(), length));
        int at = text.offsetByCodePoints(0, span.start());
        return places.stream().anyMatch(place -> holds(place, inside) || holds(inside, place))
                || texts.stream().anyMatch(answer -> text.startsWith(answer.strip(), at));
    }

    private static boolean holds(Span one, Span other) {
        return one.start() <= other.start() && other.end() <= one.end() && other.end() > other.start();
    }

    boolean has(String id) {
        return answers.containsKey(id);
    }

    /** True if an answer that was added stands at its offset in code points. */
    boolean stands(String id) {
        return reading(id).span != null;
    }

    private Reading reading(String id) {
        return Objects.requireNonNull(answers.get(id)).readings.getFirst();
    }

    /** True if an answer does not stand at its offset in code points. */
    boolean isOff() {
        return !answers.keySet().stream().allMatch(this::stands);
    }

    /** Returns the span of an answer that was added, in code points; empty if it fits several places and others do not tell. */
    public Optional<Span> place(String id) {
        return Optional.ofNullable(settled().spans.get(id));
    }

    private Settled settled() {
        Settled known = settled == null ? new Settled() : settled;
        settled = known;
        return known;
    }

    /** Describes the distances of answers that do not stand at their offsets, and the unit. */
    @Override
    public String toString() {
        Settled all = settled();
        IntSummaryStatistics moves = all.spans.entrySet().stream()
                .filter(span -> !stands(span.getKey()))
                .mapToInt(span -> span.getValue().start() - reading(span.getKey()).start)
                .summaryStatistics();
        String most = moves.getMax() == moves.getMin() ? "" : " to " + moves.getMax();
        return (moves.getCount() == 0 ? "" : " by " + moves.getMin() + most + " code points")
                + (all.unit == 0 ? "" : " (offsets count " + UNITS.get(all.unit).words + ")");
    }

    private final class Settled {
        final int unit = IntStream.range(0, UNITS.size())
                .boxed()
                .max(Comparator.comparingLong(this::fits).thenComparing(Comparator.reverseOrder()))
                .orElseThrow();
        final Map<String, Span> spans = new HashMap<>();
        private final Map<Object, NavigableMap<Integer, Integer>> shifts = new HashMap<>();
        private final Map<Integer, Integer> counts = new HashMap<>();

        Settled() {
            boolean isTrusted = 2 * fits(unit) >= answers.size();
            answers.forEach((id, answer) -> {
                Reading reading = answer.readings.get(unit);
                boolean isOnly = answer.places.size() == 1;
                if (isOnly || (isTrusted && reading.span != null)) {
                    Span span = reading.span == null ? answer.places.getFirst() : reading.span;
                    int shift = span.start() - reading.start;
                    spans.put(id, span);
                    shifts.computeIfAbsent(answer.passage, passage -> new TreeMap<>())
                            .put(reading.start, shift);
                    counts.merge(shift, 1, Integer::sum);
                }
            });
            int certain = spans.size();
            answers.forEach((id, answer) -> {
                int start = answer.readings.get(unit).start;
                IntSummaryStatistics near = distances(answer.passage, start, certain);
                List<Span> fit = answer.places.stream()
                        .filter(place ->
                                near.getMin() <= place.start() - start && place.start() - start <= near.getMax())
                        .toList();
                if (fit.size() == 1) {
                    spans.putIfAbsent(id, fit.getFirst());
                }
            });
        }

        private long fits(int unit) {
            return answers.values().stream()
                    .filter(answer -> answer.readings.get(unit).span != null)
                    .count();
        }

        /** Returns the distances from their offsets of the certain answers around an offset, or else of most in the file. */
        private IntSummaryStatistics distances(Object passage, int start, int certain) {
            NavigableMap<Integer, Integer> own = shifts.getOrDefault(passage, new TreeMap<>());
            Stream<Integer> near = own.isEmpty()
                    ? counts.keySet().stream().filter(shift -> 2 * counts.getOrDefault(shift, 0) > certain)
                    : Stream.of(own.floorEntry(start), own.ceilingEntry(start))
                            .filter(Objects::nonNull)
                            .map(Map.Entry::getValue);
            return near.mapToInt(Integer::intValue).summaryStatistics();
        }
    }
}
