package io.posbias.data.dataset;

import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Distances from where answers should stand to where they do, in code points. Of several places that one is chosen that is as
 * far as most answers before, as with offsets that leave out a title, else the nearest.
 */
public final class AnswerShifts {
    private final NavigableMap<Integer, Integer> counts = new TreeMap<>();

    /**
     * Chooses a place, and counts its distance.
     *
     * @param text of the places
     * @param places in UTF-16 units, in order; at least one
     * @param start where the answer should begin, in code points
     * @return in code points
     */
    public Span choose(String text, List<Span> places, int start) {
        List<Span> points = CodePoints.fromUtf16(text, places);
        int half = counts.values().stream().mapToInt(Integer::intValue).sum() / 2;
        Span chosen = points.stream()
                .min(Comparator.comparingInt(
                                (Span place) -> counts.getOrDefault(place.start() - start, 0) > half ? 0 : 1)
                        .thenComparingInt(place -> Math.abs(place.start() - start)))
                .orElseThrow();
        counts.merge(chosen.start() - start, 1, Integer::sum);
        return chosen;
    }

    /** Returns " by N code points" if all are equal, else the least and the greatest. */
    @Override
    public String toString() {
        return counts.isEmpty()
                ? ""
                : counts.size() == 1
                        ? " by " + counts.firstKey() + " code points"
                        : " by " + counts.firstKey() + " to " + counts.lastKey() + " code points";
    }
}
