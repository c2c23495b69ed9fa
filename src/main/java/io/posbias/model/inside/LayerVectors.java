package io.posbias.model.inside;

import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import java.util.List;
import java.util.Optional;

/**
 * Token vectors of passages after every layer of a model, pooled and averaged by part of the text. Safe for several
 * threads.
 */
public interface LayerVectors extends AutoCloseable {
    /**
     * Vectors of one layer.
     *
     * @param pooled the recipe's pooling of the layer's token vectors, before head and normalisation
     * @param parts mean token vector of each part of the text, special tokens and prompt left out
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record Layer(float[] pooled, List<float[]> parts) {}

    /**
     * Layers of a text.
     *
     * @param layers layer 0, the embeddings after their norm, then the output of each transformer layer
     * @param cut true if the text was truncated
     */
    record Layers(List<Layer> layers, boolean cut) {}

    /**
     * Reads a passage. Of its n tokens in the row, part i of k, from 0, has those from floor(i n / k) to floor((i + 1) n / k),
     * exclusive.
     *
     * @param parts k, at least 1
     * @return empty for n below k
     */
    Optional<Layers> of(String text, int parts);

    @Override
    void close();

    /** Returns the reason, to follow the model's name, if layers cannot be read; else empty. Loads nothing. */
    static Optional<String> unfit(Recipe recipe) {
        Optional<String> closed = WhiteBoxEngine.unfit(recipe);
        return closed.isPresent()
                        || !(recipe instanceof DenseRecipe dense)
                        || Architecture.of(dense).family() != null
                ? closed
                : Optional.of("has a TorchScript file as its transformer, which returns only the last layer:"
                        + " layers need 'family' (docs/training.md#white-box-encoders)");
    }
}
