package io.posbias.retrieve;

import java.util.Arrays;

/**
 * A score split into what each token of the passage adds.
 *
 * @param starts where each token of the passage begins in it, in UTF-16 units
 * @param ends where each ends
 * @param values what each adds, in the score's unit; 0 for tokens that were cut off or take no part
 * @param rest what special tokens and the prompt add
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere; lists would box every token
public record Contributions(int[] starts, int[] ends, double[] values, double rest) {
    /** The score: the sum of all. */
    public double score() {
        return rest + Arrays.stream(values).sum();
    }
}
