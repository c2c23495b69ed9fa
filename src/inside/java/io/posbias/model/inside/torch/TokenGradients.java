package io.posbias.model.inside.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.TextRows;
import io.posbias.model.encode.onnx.TokenPlaces;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.inside.GradientNorms;
import io.posbias.model.inside.GradientSaliency;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gradient saliency of passage tokens: L2 norm of the gradient of the score with respect to each input embedding,
 * before positions and norms. See section 4.3 of PosIR, arXiv:2601.08363. Scores are {@linkplain WhiteBox#isCosine
 * cosines} or inner products, by the recipe. Safe for several threads.
 */
public final class TokenGradients implements GradientSaliency {
    private final WhiteBox model;
    private final Transformer passages;

    public TokenGradients(WhiteBox model) {
        this(model, model.transformer(Role.PASSAGE));
    }

    /**
     * Creates the saliency of another forward pass.
     *
     * @param passages forward pass of passages
     */
    TokenGradients(WhiteBox model, Transformer passages) {
        this.model = model;
        this.passages = passages;
    }

    @Override
    public boolean isCosine() {
        return model.isCosine();
    }

    @Override
    public List<GradientNorms> of(String passage, List<String> queries) {
        TextRows rows = model.rows(Role.PASSAGE);
        TokenRow row = rows.row(passage);
        TokenPlaces places = rows.places(passage);
        if (places.shown() == 0) {
            throw new PosbiasException("no token of a passage is read: max-tokens in the recipe leaves no room");
        }
        List<float[]> vectors =
                queries.stream().map(query -> model.vector(query, Role.QUERY)).toList();
        return gradients(row, vectors).stream()
                .map(gradient -> new GradientNorms(
                        gradient.score,
                        Arrays.copyOf(places.starts(), places.shown()),
                        Arrays.copyOf(places.ends(), places.shown()),
                        gradient.norms(places),
                        row.seen() != TokenRow.WHOLE))
                .toList();
    }

    /**
     * Gradient of a score.
     *
     * @param values (tokens, width)
     * @param tokens number of tokens in the row
     */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record Gradient(double score, float[] values, int tokens) {
        private double[] norms(TokenPlaces places) {
            int width = values.length / tokens;
            double[] norms = new double[places.shown()];
            for (int i = 0; i < norms.length; i++) {
                int from = (places.first() + i) * width;
                double sum = 0;
                for (int k = from; k < from + width; k++) {
                    sum += (double) values[k] * values[k];
                }
                norms[i] = finite(Math.sqrt(sum));
            }
            return norms;
        }

        private static double finite(double norm) {
            if (!Double.isFinite(norm)) {
                throw new PosbiasException("a gradient is no number: what the model computes overflows");
            }
            return norm;
        }
    }

    /** Returns the gradient with respect to all tokens of a row for each query vector. */
    List<Gradient> gradients(TokenRow row, List<float[]> queries) {
        Torch.gradients(true);
        try (NDManager workspace = model.workspace()) {
            Batch batch = model.batch(List.of(row), workspace);
            NDArray embedded = Torch.leaf(passages.embed(batch.ids()), workspace);
            NDArray vector = model.vectors(passages.hidden(embedded, batch.padding()), batch);
            float[] values = vector.toFloatArray();
            List<Gradient> gradients = new ArrayList<>();
            for (float[] query : queries) {
                NDArray direction = workspace.create(query, new Shape(1, query.length));
                gradients.add(
                        new Gradient(product(query, values), Torch.gradient(vector, direction, embedded), row.size()));
            }
            return gradients;
        } finally {
            Torch.gradients(false);
        }
    }

    private static double product(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (double) a[i] * b[i];
        }
        return sum;
    }

    @Override
    public void close() {
        model.close();
    }
}
