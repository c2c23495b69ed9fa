package io.posbias.retrieve;

import io.posbias.dataset.Dataset;
import io.posbias.encode.Engine;
import io.posbias.encode.Role;
import io.posbias.encode.cache.CachedEncoder;
import io.posbias.encode.onnx.Tokenizer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Is told what a retriever would do to answer the judged queries of a benchmark, in the order in which it would, and without
 * doing it: for plans. A search that a strategy divides, or repeats because it did not look deep enough, is told as one.
 */
public interface Outline {
    /** The words of a corpus would be counted, and its judged queries answered by them. */
    void words(Dataset corpus);

    /**
     * Texts would be encoded, those whose vectors the cache has not.
     *
     * @param texts is given where to put them
     */
    void encode(Encoding encoding, Consumer<Consumer<String>> texts, Role role);

    /**
     * All vectors of some queries would be compared with all of some passages.
     *
     * @param dimension numbers of a vector; 0 where the recipe does not say
     * @param divisible whether workers can do it
     */
    void search(int queries, int passages, int dimension, boolean divisible);

    /**
     * Pairs would be scored.
     *
     * @param model the recipe of the model
     * @param texts the benchmark whose queries and passages are paired
     * @param candidates of each query
     * @param divisible whether workers can do it
     */
    void score(Recipe model, Dataset texts, int[] candidates, boolean divisible);

    /**
     * How texts get vectors.
     *
     * @param recipe whose vectors are kept
     * @param opener opens what keeps them
     * @param divisible whether workers can do it
     * @param inner the recipe whose model reads, which is {@code recipe} itself or wrapped in it
     * @param reads what the model reads for some of the texts
     */
    record Encoding(
            Recipe recipe, Function<Engine, CachedEncoder> opener, boolean divisible, Recipe inner, Reads reads) {}

    /** What a model reads for texts. */
    @FunctionalInterface
    interface Reads {
        /** @param tokenizer of the inner recipe; null where its model is not here */
        Input of(List<String> texts, @Nullable Tokenizer tokenizer);
    }

    /**
     * What a model reads.
     *
     * @param read by itself
     * @param others texts whose vectors are those that the inner recipe gives them, and keeps
     */
    record Input(List<String> read, List<String> others) {
        /** The texts themselves. */
        static Input of(List<String> texts, @Nullable Tokenizer tokenizer) {
            return new Input(texts, List.of());
        }
    }
}
