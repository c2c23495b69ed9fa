package io.posbias.model.retrieve;

import io.posbias.data.dataset.Dataset;
import io.posbias.model.encode.Engine;
import io.posbias.rank.SearchReport;

/** Truncation measured before a search. */
@FunctionalInterface
public interface Preview {
    /**
     * Reads a corpus with the models' tokenizers, without models and search. A first stage counts as returning every
     * passage. Cross-encoders read the pairs of query and relevant passage; without judgements, each passage with an
     * empty query.
     */
    SearchReport of(Dataset dataset, Engine engine);
}
