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
 * How many tokens passages have, as the benchmark itself says it of its queries' relevant passages ({@code pos_token_length}):
 * PosIR's are of the Qwen3 tokenizer, and those of a translation are of its English original. So all models get the same
 * passages, whatever their tokenizers.
 */
public final class TokenLengths {
    private TokenLengths() {}

    /**
     * Which passages have at least so many tokens, by ordinal; passages that the benchmark says nothing of have not.
     *
     * @throws UsageException if the benchmark says of no passage how many it has
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

    /** The tokens of a query's passage; {@link Evidence#UNKNOWN} where the benchmark does not say. */
    private static int of(Query query) {
        Evidence evidence = query.evidence();
        return evidence == null ? Evidence.UNKNOWN : evidence.tokenLength();
    }
}
