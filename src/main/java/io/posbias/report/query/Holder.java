package io.posbias.report.query;

import io.posbias.dataset.Evidence;
import io.posbias.dataset.Passage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which of a query's relevant passages its evidence is in. */
public final class Holder {
    private Holder() {}

    /**
     * The passage that holds the evidence; null when the evidence has no place in a passage, or when two of them could hold it: an
     * opened benchmark knows its length only.
     */
    public static @Nullable Passage of(@Nullable Evidence evidence, List<Passage> relevant) {
        if (evidence == null || evidence.span() == null) {
            return null;
        }
        List<Passage> fitting = relevant.stream()
                .filter(passage ->
                        passage.text().codePointCount(0, passage.text().length()) == evidence.textLength())
                .toList();
        return fitting.size() == 1 ? fitting.getFirst() : null;
    }
}
