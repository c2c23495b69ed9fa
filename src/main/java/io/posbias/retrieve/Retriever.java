package io.posbias.retrieve;

import io.posbias.Progress;
import io.posbias.dataset.Dataset;

/** A system that finds passages, before it has seen any. */
public interface Retriever {
    /**
     * Prepares to search a benchmark's corpus: indexes or encodes it.
     *
     * @param dataset the benchmark; its passages are streamed as often as needed
     * @param threads how many threads may work; results must not depend on it
     * @param progress where to tell how far it is
     */
    Searcher open(Dataset dataset, int threads, Progress progress);
}
