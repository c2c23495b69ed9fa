package io.posbias.diagnose;

import io.posbias.UsageException;
import io.posbias.dataset.Dataset;
import io.posbias.dataset.Evidence;
import io.posbias.dataset.Query;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Passage lengths in tokens as given by the benchmark for its queries ({@code pos_token_length}), so that all models get the
 * same passages. PosIR counts with the Qwen3 tokenizer, for translations on the English original.
 */
public final class TokenLengths {
    private TokenLengths() {}

    /**
     * Returns true for passages, by ordinal, of at least the given length; false if unknown.
     *
     * @throws UsageException if no length is known
     */
    public static IntPredicate atLeast(int tokens, Dataset dataset) {
        Set<Integer> known = new HashSet<>();
        Set<Integer> longEnough = new HashSet<>();
        for (Query query : dataset.judgedQueries()) {
            int own = of(query);
            int[] relevant =
                    Objects.requireNonNull(dataset.qrels().of(query.id())).relevantPassages();
            if (own > 0 && relevant.length == 1) {
                known.add(relevant[0]);
                if (own >= tokens) {
                    longEnough.add(relevant[0]);
                }
            }
        }
        if (known.isEmpty()) {
            throw new UsageException("dataset " + dataset.name() + " says of no passage how many tokens it has"
                    + " (pos_token_length): give --min-words instead of --min-tokens");
        }
        return longEnough::contains;
    }

    private static int of(Query query) {
        Evidence evidence = query.evidence();
        return evidence == null ? Evidence.UNKNOWN : evidence.tokenLength();
    }
}
