package io.posbias.data.dataset;

import java.util.Arrays;
import java.util.Map;

/**
 * Relevance judgements of one query, by passage ordinal. Grades are integers; 1 and above is relevant, as in
 * trec_eval.
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

    /** @param grades by passage ordinal */
    public static Judgments of(Map<Integer, Integer> grades) {
        return new Judgments(grades);
    }

    /** 0 for passages without a judgement. */
    public int grade(int passage) {
        int found = Arrays.binarySearch(passages, passage);
        return found < 0 ? 0 : grades[found];
    }

    public int relevant() {
        return idealGrades.length;
    }

    /** Returns the relevant grades in descending order, the ideal ranking. Must not be changed. */
    public int[] idealGrades() {
        return idealGrades;
    }

    /** Ascending. */
    public int[] passages() {
        return passages.clone();
    }

    /** Ascending. */
    public int[] relevantPassages() {
        return Arrays.stream(passages).filter(passage -> grade(passage) > 0).toArray();
    }

    /** Returns the relevant passage with the smallest identifier (the largest ordinal); -1 without one. */
    public int firstRelevant() {
        return Arrays.stream(relevantPassages()).max().orElse(-1);
    }
}
