package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.dataset.Passage;

/** Where each passage's own text begins in what a model reads, which has the title before it. */
final class PassageTexts {
    private final int[] leads;

    PassageTexts(Dataset dataset) {
        this.leads = new int[dataset.passages().size()];
    }

    /** Notes a passage; each once. */
    void note(int ordinal, Passage passage) {
        leads[ordinal] = passage.content().length() - passage.text().length();
    }

    /**
     * How much of the text was seen.
     *
     * @param seen how many UTF-16 units of title and text were, or a negative mark
     * @return how many of the text, or the same mark
     */
    int seenOfText(int ordinal, int seen) {
        return seen < 0 ? seen : Math.max(0, seen - leads[ordinal]);
    }
}
