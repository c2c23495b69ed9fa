package io.posbias.study.build;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Plural;
import io.posbias.study.build.text.Draw;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Four training sets that differ in evidence position (arXiv:2605.26578). A cell is a length bucket x position, and
 * n is the size of the smallest. {@code M_B}, {@code M_M} and {@code M_E} contain n questions of their position from
 * each bucket; {@code M_U} contains floor(n / 3) from each cell. With the paper's n = 8,189 and five buckets: 40,945
 * and 40,935.
 *
 * <p>The paper does not describe the draw. Our order within a cell is by {@link Draw} of the question; M_U takes the
 * first third of the beginning's cell, the second of the middle's and the last of the end's. If all cells of a
 * bucket contain the same questions on different documents, the sets of one position contain the same questions and
 * M_U contains none twice.
 */
final class PositionSets {
    private static final List<String> NAMES = List.of("M_B", "M_M", "M_E");
    private static final String UNIFORM = "M_U";

    private record Drawn(long priority, String id) {}

    private static final Comparator<Drawn> ORDER =
            Comparator.comparing(Drawn::priority, Long::compareUnsigned).thenComparing(Drawn::id);

    private PositionSets() {}

    /**
     * Draws the sets.
     *
     * @param questions each with bucket and position
     * @return membership by set
     * @throws PosbiasException if a cell has fewer than three
     */
    static SequencedMap<String, Predicate<Candidate>> draw(Consumer<Consumer<Candidate>> questions, long seed) {
        Map<String, List<Drawn>> cells = cells(questions, seed);
        int n = smallest(cells);
        Map<String, Integer> places = new HashMap<>();
        cells.values().forEach(cell -> {
            Collections.sort(cell, ORDER);
            for (int place = 0; place < n; place++) {
                places.put(cell.get(place).id(), place);
            }
        });
        SequencedMap<String, Predicate<Candidate>> sets = new LinkedHashMap<>();
        for (int i = 0; i < NAMES.size(); i++) {
            int position = i;
            sets.put(NAMES.get(i), question -> places.containsKey(question.id()) && position(question) == position);
        }
        int third = n / NAMES.size();
        sets.put(UNIFORM, question -> {
            int from = third * position(question);
            int place = places.getOrDefault(question.id(), n);
            return place >= from && place < from + third;
        });
        return sets;
    }

    private static int position(Candidate question) {
        return Candidate.POSITIONS.indexOf(question.text(Candidate.POSITION));
    }

    private static Map<String, List<Drawn>> cells(Consumer<Consumer<Candidate>> questions, long seed) {
        Map<String, List<Drawn>> cells = new TreeMap<>();
        questions.accept(question -> {
            String bucket = question.text(Candidate.BUCKET);
            Candidate.POSITIONS.forEach(
                    position -> cells.computeIfAbsent(cell(bucket, position), none -> new ArrayList<>()));
            String asked = question.fields().text(Candidate.SAME_AS, question.id());
            Objects.requireNonNull(cells.get(cell(bucket, question.text(Candidate.POSITION))), "made just now")
                    .add(new Drawn(Draw.priority(seed, asked), question.id()));
        });
        return cells;
    }

    private static String cell(String bucket, String position) {
        return bucket + " " + position;
    }

    private static int smallest(Map<String, List<Drawn>> cells) {
        int smallest = Integer.MAX_VALUE;
        for (Map.Entry<String, List<Drawn>> cell : cells.entrySet()) {
            int size = cell.getValue().size();
            smallest = Math.min(smallest, size);
            if (size < NAMES.size()) {
                throw new PosbiasException("sets: positions: only " + Plural.of(size, "question")
                        + " on documents of length and position " + cell.getKey()
                        + ": each cell needs 3; give more documents or fewer length buckets");
            }
        }
        return smallest;
    }
}
