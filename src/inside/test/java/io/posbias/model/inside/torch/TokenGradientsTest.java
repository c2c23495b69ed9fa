package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.model.retrieve.RecipeBook;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.posbias.base.process.Session;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.inside.GradientNorms;
import io.posbias.model.retrieve.Recipe;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gradients of MiniLM against differences of its scores, and of a linear encoder by hand. */
@Tag("slow")
class TokenGradientsTest {
    private static final String QUERY = "who fixed the old clock?";
    private static final String PASSAGE = "The tower was built in 1901. Its old clock was fixed by Mary Ellen Brown, a "
            + "watchmaker of the town, after the storm 🦊.";

    /** Small enough that the score is nearly linear, large enough for 32-bit floats. */
    private static final double STEP = 3e-4;

    @TempDir
    static Path home;

    private WhiteBox model;

    @BeforeEach
    void open() {
        Engine engine = Engine.quiet(1, Session.quiet(Map.of("POSBIAS_HOME", home.toString()), home));
        model = WhiteBox.open(RecipeBook.find("all-minilm-l6-v2"), engine);
    }

    @AfterEach
    void close() {
        model.close();
    }

    /** Adds something to the embeddings. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    private record Moved(Transformer inner, float[] by) implements Transformer {
        @Override
        public NDArray embed(NDArray ids) {
            NDArray embedded = inner.embed(ids);
            return embedded.add(embedded.getManager().create(by, embedded.getShape()));
        }

        @Override
        public NDArray hidden(NDArray embedded, Padding padding) {
            return inner.hidden(embedded, padding);
        }
    }

    private double score(TokenRow row, float[] query, float[] by) {
        Transformer moved = new Moved(model.transformer(Role.PASSAGE), by);
        return new TokenGradients(model, moved)
                .gradients(row, List.of(query))
                .getFirst()
                .score();
    }

    /** The sum of g . delta is the change of the score, to 1e-3: all tokens at once, and one token alone. */
    @Test
    void gradientsAreDifferences() {
        TokenRow row = model.rows(Role.PASSAGE).row(PASSAGE);
        float[] query = model.vector(QUERY, Role.QUERY);
        TokenGradients.Gradient gradient =
                new TokenGradients(model).gradients(row, List.of(query)).getFirst();
        SplittableRandom random = new SplittableRandom(7);
        int width = gradient.values().length / row.size();
        for (int only = -1; only < row.size(); only += 4) {
            float[] plus = new float[gradient.values().length];
            float[] minus = new float[plus.length];
            double expected = 0;
            for (int i = 0; i < plus.length; i++) {
                // With the gradient's own sign, so that changes of many numbers do not cancel out.
                double delta = only < 0 || i / width == only
                        ? Math.signum(gradient.values()[i]) * STEP * random.nextDouble() * (only < 0 ? 1 : 4)
                        : 0;
                plus[i] = (float) delta;
                minus[i] = -plus[i];
                expected += gradient.values()[i] * (double) plus[i];
            }
            double change = (score(row, query, plus) - score(row, query, minus)) / 2;
            assertThat(change).as("token " + only).isCloseTo(expected, within(1e-3 * expected));
        }
    }

    /** Several queries of one passage give the same as each alone; the score is the one of the vectors. */
    @Test
    void queriesOfOnePassageShareItsForwardPass() {
        TokenGradients gradients = new TokenGradients(model);
        List<GradientNorms> both = gradients.of(PASSAGE, List.of("a tower", QUERY));
        GradientNorms alone = gradients.of(PASSAGE, List.of(QUERY)).getFirst();
        assertThat(both.getLast().norms()).containsExactly(alone.norms());
        assertThat(both.getFirst().norms()).isNotEqualTo(alone.norms());
        float[] query = model.vector(QUERY, Role.QUERY);
        float[] passage = model.vector(PASSAGE, Role.PASSAGE);
        double cosine = 0;
        for (int i = 0; i < query.length; i++) {
            cosine += query[i] * (double) passage[i];
        }
        assertThat(alone.score()).isCloseTo(cosine, within(1e-6));
        assertThat(model.isCosine()).isTrue();
    }

    /** Runs something between the forward pass and the gradients. */
    private record Then(Transformer inner, Runnable next) implements Transformer {
        @Override
        public NDArray embed(NDArray ids) {
            return inner.embed(ids);
        }

        @Override
        public NDArray hidden(NDArray embedded, Padding padding) {
            NDArray hidden = inner.hidden(embedded, padding);
            next.run();
            return hidden;
        }
    }

    /** PyTorch reads arrays of the forward pass again: a collection of garbage in between must not free their memory. */
    @Test
    void nothingThatGradientsNeedIsFreedEarly() {
        TokenRow row = model.rows(Role.PASSAGE).row(PASSAGE);
        List<float[]> query = List.of(model.vector(QUERY, Role.QUERY));
        Transformer passages = model.transformer(Role.PASSAGE);
        float[] expected = new TokenGradients(model, passages)
                .gradients(row, query)
                .getFirst()
                .values();
        List<ByteBuffer> others = new ArrayList<>();
        Transformer freeing = new Then(passages, () -> {
            for (int round = 0; round < 3; round++) {
                System.gc();
                LockSupport.parkNanos(50_000_000);
                // In what was freed, if anything was.
                for (int i = 0; i < 20_000; i++) {
                    others.add(ByteBuffer.allocateDirect(8).putLong(0, -1L));
                }
            }
        });
        float[] found = new TokenGradients(model, freeing)
                .gradients(row, query)
                .getFirst()
                .values();
        assertThat(others).hasSize(60_000);
        assertThat(found).containsExactly(expected);
    }

    /** Tokens are the text's own: neither [CLS] nor [SEP], and none beyond the limit. */
    @Test
    void onlyWhatWasReadOfTheTextIsThere() {
        TokenGradients gradients = new TokenGradients(model);
        GradientNorms whole =
                gradients.of("Foxes sleep.", List.of(QUERY)).getFirst();
        assertThat(whole.starts()).containsExactly(0, 6, 11);
        assertThat(whole.ends()).containsExactly(5, 11, 12);
        assertThat(whole.cut()).isFalse();
        GradientNorms cut =
                gradients.of("tower ".repeat(300), List.of(QUERY)).getFirst();
        assertThat(cut.norms()).hasSize(254);
        assertThat(cut.ends()[253]).isEqualTo(6 * 254 - 1);
        assertThat(cut.cut()).isTrue();
    }

    /** A forward pass that does nothing. */
    private record Linear(Transformer inner) implements Transformer {
        @Override
        public NDArray embed(NDArray ids) {
            return inner.embed(ids);
        }

        @Override
        public NDArray hidden(NDArray embedded, Padding padding) {
            return embedded;
        }
    }

    /**
     * The vector is the mean m of n embeddings over its length: the gradient of q . m / |m| with respect to each embedding is
     * (q - (q . u) u) / (n |m|) with u = m / |m|, the same for all tokens.
     */
    @Test
    void aLinearEncoderHasAClosedForm() {
        TokenRow row = model.rows(Role.PASSAGE).row(PASSAGE);
        float[] query = model.vector(QUERY, Role.QUERY);
        Transformer linear = new Linear(model.transformer(Role.PASSAGE));
        TokenGradients gradients = new TokenGradients(model, linear);
        double[] mean = mean(row, linear, query.length);
        double length = 0;
        double product = 0;
        for (int k = 0; k < mean.length; k++) {
            length += mean[k] * mean[k];
            product += query[k] * mean[k];
        }
        length = Math.sqrt(length);
        double score = product / length;
        double norm = 0;
        float[] values = gradients.gradients(row, List.of(query)).getFirst().values();
        for (int k = 0; k < mean.length; k++) {
            double expected = (query[k] - score * mean[k] / length) / (row.size() * length);
            norm += expected * expected;
            for (int token = 0; token < row.size(); token++) {
                assertThat((double) values[token * mean.length + k]).isCloseTo(expected, within(1e-6));
            }
        }
        double expected = Math.sqrt(norm);
        GradientNorms found = gradients.of(PASSAGE, List.of(QUERY)).getFirst();
        assertThat(found.score()).isCloseTo(score, within(1e-6));
        assertThat(found.norms()).hasSize(row.size() - 2);
        assertThat(Arrays.stream(found.norms()))
                .allSatisfy(one -> assertThat(one).isCloseTo(expected, within(1e-5 * expected)));
    }

    private double[] mean(TokenRow row, Transformer linear, int width) {
        try (NDManager workspace = model.workspace()) {
            float[] embedded =
                    linear.embed(model.batch(List.of(row), workspace).ids()).toFloatArray();
            double[] mean = new double[width];
            for (int i = 0; i < embedded.length; i++) {
                mean[i % width] += embedded[i] / (double) row.size();
            }
            return mean;
        }
    }
}
