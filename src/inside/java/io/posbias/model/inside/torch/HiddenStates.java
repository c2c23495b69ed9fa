package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.posbias.base.process.Closing;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenPlaces;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.inside.LayerVectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Hidden states of all layers of BERT and RoBERTa.
 *
 * @param passages forward pass of the model's own weights or of random ones
 */
record HiddenStates(WhiteBox model, Bert passages) implements LayerVectors {
    static HiddenStates of(WhiteBox model) {
        return new HiddenStates(model, (Bert) model.transformer(Role.PASSAGE));
    }

    /** Replaces the weights of a model, which is closed if that fails. */
    static HiddenStates random(WhiteBox model, int seed) {
        return Closing.onFailure(
                () -> new HiddenStates(
                        model, (Bert) model.transformer(RandomWeights.like(model.parameters(), seed))),
                model::close);
    }

    @Override
    public Optional<Layers> of(String text, int parts) {
        TextRows rows = model.rows(Role.PASSAGE);
        TokenRow row = rows.row(text);
        TokenPlaces places = rows.places(text);
        if (places.shown() < parts) {
            return Optional.empty();
        }
        try (NDManager workspace = model.workspace()) {
            Batch batch = model.batch(List.of(row), workspace);
            List<Layer> layers = new ArrayList<>();
            for (NDArray hidden : passages.states(passages.embed(batch.ids()), batch.padding())) {
                layers.add(layer(hidden, batch, places, parts));
            }
            return Optional.of(new Layers(layers, row.seen() != TokenRow.WHOLE));
        }
    }

    private Layer layer(NDArray hidden, Batch batch, TokenPlaces places, int parts) {
        float[] pooled = batch.pooled(hidden, model.pooling()).toFloatArray();
        float[] tokens = hidden.toFloatArray();
        List<float[]> means = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            means.add(mean(
                    tokens,
                    pooled.length,
                    places.first() + part * places.shown() / parts,
                    places.first() + (part + 1) * places.shown() / parts));
        }
        return new Layer(pooled, means);
    }

    private static float[] mean(float[] tokens, int width, int from, int to) {
        float[] mean = new float[width];
        for (int i = 0; i < width; i++) {
            double sum = 0;
            for (int token = from; token < to; token++) {
                sum += tokens[token * width + i];
            }
            mean[i] = (float) (sum / (to - from));
        }
        return mean;
    }

    @Override
    public void close() {
        model.close();
    }
}
