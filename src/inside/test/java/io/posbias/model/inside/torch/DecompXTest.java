package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.model.retrieve.RecipeBook;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.inside.BiasShares;
import io.posbias.model.inside.Family;
import io.posbias.model.inside.TinyModels;
import io.posbias.model.inside.TokenDecomposition;
import io.posbias.model.inside.TokenParts;
import io.posbias.model.retrieve.Recipe;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors as sums: what they sum to, and where the parts are known. Their numbers: {@link PropagationTest}. */
@Tag("slow")
class DecompXTest {
    private static final double CLOSE = 1e-5;

    private static final String LAYER = "bert.encoder.layer.0.intermediate.dense";
    private static final String HEAD = "head: {file: model.safetensors, weight: " + LAYER + ".weight";

    /** More tokens than a block of sources has. */
    private static final String LONG =
            "position bias in retrieval: is an answer found as well when it is late? ".repeat(4);

    @TempDir
    Path temp;

    private static float[] sum(TokenParts parts) {
        float[] sum = new float[parts.width()];
        for (int i = 0; i < parts.values().length; i++) {
            sum[i % parts.width()] += parts.values()[i];
        }
        return sum;
    }

    private static void assertClose(float[] found, float[] expected) {
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat((double) found[i]).as("number " + i).isCloseTo(expected[i], within(CLOSE));
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"mean", "cls"})
    void partsSumToTheVectorOnAnyNumberOfThreads(String pooling) {
        Recipe recipe = RecipeBook.with(RecipeBook.find("all-minilm-l6-v2"), Map.of("pooling", pooling));
        try (WhiteBox model = WhiteBox.open(recipe, Engine.quiet(1, Sessions.in(temp)))) {
            TokenParts parts = new DecompX(model, BiasShares.ABSDOT, 1).of(LONG, Role.PASSAGE);
            assertClose(sum(parts), model.vector(LONG, Role.PASSAGE));
            assertThat(new DecompX(model, BiasShares.ABSDOT, 2)
                            .of(LONG, Role.PASSAGE)
                            .values())
                    .containsExactly(parts.values());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pooling: mean",
                "pooling: last",
                "pooling: mean\nnormalise: false",
                "pooling: mean\npool-prompt: false\nquery-prompt: 'a b '",
                "pooling: cls\n" + HEAD + "}",
                "pooling: cls\n" + HEAD + ", bias: " + LAYER + ".bias}",
            })
    void partsSumToWhatTheRecipeMakes(String fields) {
        try (WhiteBox model = WhiteBoxes.open(temp, TinyModels.write(temp, Family.BERT, fields))) {
            for (BiasShares biases : BiasShares.values()) {
                TokenParts parts = new DecompX(model, biases, 1).of("c d h a e", Role.QUERY);
                assertClose(sum(parts), model.vector("c d h a e", Role.QUERY));
            }
        }
    }

    /** Without what attention and the maps add, a token's vector is its own part, biases included, and no other's. */
    @Test
    void withoutMixingEachTokenHasItsOwnVector() {
        String fields = "pooling: mean\nnormalise: false";
        try (WhiteBox model = WhiteBoxes.open(temp, TinyModels.write(temp, Family.BERT, fields))) {
            unmix(model);
            TokenRow row = row(3, 7, 5, 11, 4);
            float[] parts = parts(model, row);
            try (NDManager workspace = model.workspace()) {
                Batch batch = model.batch(List.of(row), workspace);
                Transformer bert = model.transformer(Role.PASSAGE);
                NDArray hidden = bert.hidden(bert.embed(batch.ids()), batch.padding());
                assertClose(parts, hidden.div(row.size()).toFloatArray());
            }
        }
    }

    @Test
    void withoutMixingAndPositionsPartsFollowTheirTokens() {
        try (WhiteBox model = WhiteBoxes.open(temp, TinyModels.write(temp, Family.BERT, "pooling: mean"))) {
            unmix(model);
            zero(model, "embeddings.position_embeddings.weight");
            float[] parts = parts(model, row(3, 7, 5));
            float[] moved = parts(model, row(5, 3, 7));
            int width = parts.length / 3;
            for (int i = 0; i < parts.length; i++) {
                assertThat(moved[(i + width) % parts.length]).isCloseTo(parts[i], within((float) CLOSE));
            }
        }
    }

    private static void unmix(WhiteBox model) {
        for (int layer = 0; layer < 2; layer++) {
            String at = "encoder.layer." + layer + ".";
            zero(model, at + "attention.output.dense.weight");
            zero(model, at + "output.dense.weight");
            zero(model, at + "output.dense.bias");
        }
    }

    private static void zero(WhiteBox model, String weight) {
        Objects.requireNonNull(model.parameters().get(weight), weight).muli(0);
    }

    private static TokenRow row(int... ids) {
        return new TokenRow(ids, new int[ids.length], 0, 0, TokenRow.WHOLE);
    }

    private static float[] parts(WhiteBox model, TokenRow row) {
        return new DecompX(model, BiasShares.ABSDOT, 1).of(row, Role.PASSAGE).values();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pooling: max; pools by maximum",
                "'head: {file: head.safetensors, activation: tanh}'; has a head with a hyperbolic tangent",
            })
    void modelsWhoseVectorsAreNoSuchSums(String fields, String why) {
        Recipe recipe = TinyModels.write(temp, Family.BERT, fields);
        assertThat(TokenDecomposition.unfit(recipe).orElseThrow())
                .startsWith(why + ":")
                .contains("BERT and RoBERTa", "cls, mean or last");
    }
}
