package io.posbias.study.probe.rag;

import io.posbias.base.process.UsageException;
import org.jspecify.annotations.Nullable;

/**
 * Place of the evidence's passage among the passages of a prompt; the others stay in the order of the ranking.
 *
 * @param fixed the place, from 1; null if it varies
 * @param isRanked true for the place of the ranking
 */
public record PromptPlace(@Nullable Integer fixed, boolean isRanked) {
    private static final String BALANCED = "balanced";
    private static final String RANKED = "ranked";

    /** The values of the option, for help. */
    public static final String VALUES = BALANCED + ", " + RANKED + " or a number from 1 to k";

    /**
     * Parses an option.
     *
     * @param k passages of a prompt
     */
    public static PromptPlace parse(String option, String given, int k) {
        if (given.equals(BALANCED) || given.equals(RANKED)) {
            return new PromptPlace(null, given.equals(RANKED));
        }
        int place = given.matches("[0-9]{1,9}") ? Integer.parseInt(given) : 0;
        if (place < 1 || place > k) {
            throw new UsageException(option + " must be " + VALUES.replace("to k", "to " + k) + ", not " + given);
        }
        return new PromptPlace(place, false);
    }

    /**
     * Returns the place in a prompt. Balanced places go round: from one place of the evidence to the next they move by one, beginning
     * at the question's own, so that each place of the evidence meets each place of the prompt equally often.
     *
     * @param start the question's number, from 0
     * @param place of the evidence in its passage, from 1
     * @param rank of the passage, from 1
     * @param passages of this prompt
     */
    int of(int start, int place, int rank, int k, int passages) {
        int wanted = fixed != null ? fixed : isRanked ? rank : (start + place - 1) % k + 1;
        return Math.min(wanted, passages);
    }

    @Override
    public String toString() {
        return fixed != null ? fixed.toString() : isRanked ? RANKED : BALANCED;
    }
}
