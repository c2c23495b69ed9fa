package io.posbias.dataset;

import java.util.Arrays;
import java.util.Map;

/**
 * The relevance judgements of one query, by passage ordinal.
 *
 * <p>Grades are whole numbers; 1 and above is relevant, as in trec_eval's default. Zero and negative grades are judged
 * and not relevant.
 */
public final class Judgments {
    private final int[] passages;
    private final int[] grades;
    private final int[] idealGrades;

    private Judgments(Map<Integer, Integer> graded) {
        passages = graded.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        grades = Arrays.stream(passages)
                .map(passage -> graded.getOrDefault(passage, 0))
                .toArray();
        idealGrades = Arrays.stream(grades)
                .filter(grade -> grade > 0)
                .map(grade -> -grade)
                .sorted()
                .map(negative -> -negative)
                .toArray();
    }

    /**
     * @param grades passage ordinal to grade
     */
    public static Judgments of(Map<Integer, Integer> grades) {
        return new Judgments(grades);
    }

    /** The grade of a passage; 0 when it was not judged. */
    public int grade(int passage) {
        int found = Arrays.binarySearch(passages, passage);
        return found < 0 ? 0 : grades[found];
    }

    /** How many passages are relevant. */
    public int relevant() {
        return idealGrades.length;
    }

    /** The grades of the relevant passages, highest first: an ideal ranking. The caller must not change it. */
    public int[] idealGrades() {
        return idealGrades;
    }

    /** The ordinals of all judged passages, ascending. */
    public int[] passages() {
        return passages.clone();
    }

    /** The ordinals of the relevant passages, ascending. */
    public int[] relevantPassages() {
        return Arrays.stream(passages).filter(passage -> grade(passage) > 0).toArray();
    }

    /** The relevant passage of the first identifier, -1 when none is: ordinals run from the last identifier to it. */
    public int firstRelevant() {
        return Arrays.stream(relevantPassages()).max().orElse(-1);
    }
}
