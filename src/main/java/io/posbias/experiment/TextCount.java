package io.posbias.experiment;

import io.posbias.encode.onnx.ModelSize;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Texts that a model reads.
 *
 * @param texts how many
 * @param tokens of all of them, as far as the model reads them
 * @param squares the sum of the squares of their numbers of tokens
 */
record TextCount(double texts, double tokens, double squares) {
    static final TextCount NONE = new TextCount(0, 0, 0);

    /** Texts of one length. */
    static TextCount of(double texts, double length) {
        return new TextCount(texts, texts * length, texts * length * length);
    }

    /** Texts that are counted one by one. */
    static TextCount of(List<String> texts, ToIntFunction<String> tokens) {
        double[] sums = {0, 0};
        for (String text : texts) {
            double length = tokens.applyAsInt(text);
            sums[0] += length;
            sums[1] += length * length;
        }
        return new TextCount(texts.size(), sums[0], sums[1]);
    }

    /** As many of more texts of this kind, by their characters. */
    TextCount scaled(double all, double times) {
        return new TextCount(all, tokens * times, squares * times);
    }

    double flops(ModelSize model) {
        return model.flops(tokens, squares);
    }

    double mean() {
        return texts == 0 ? 0 : tokens / texts;
    }
}
