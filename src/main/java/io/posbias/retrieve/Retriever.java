package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import io.posbias.encode.ModelCheck;
import io.posbias.encode.ModelFiles;
import java.util.List;
import java.util.Optional;

/** A system that finds passages, before it has seen any. */
public interface Retriever {
    /**
     * Prepares to search a benchmark's corpus: indexes or encodes it.
     *
     * @param dataset the benchmark; its passages are streamed as often as needed
     * @param engine how many threads may work, on which device, and where to tell how far it is; results must not depend
     *     on the threads
     */
    Searcher open(Dataset dataset, Engine engine);

    /** The model files that must be there first, a first stage's included; none for retrievers without a model. */
    default List<ModelFiles> files() {
        return List.of();
    }

    /**
     * Loads the model and looks whether it does what the recipe says, for {@code posbias models check}. Its first stage,
     * if it has one, is not looked at.
     *
     * @return what was found; empty for kinds that have no such check
     */
    default Optional<ModelCheck> check(Engine engine) {
        return Optional.empty();
    }
}
