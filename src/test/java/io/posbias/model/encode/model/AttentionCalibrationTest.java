package io.posbias.model.encode.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.encode.AttentionStandIn;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.onnx.CalibratedGraph;
import io.posbias.model.encode.onnx.TokenRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttentionCalibrationTest {
    /** [CLS] a b c d e [SEP] attend to each other by 4, 6, 2, 1, 1, 1, 1 of 16. */
    private static final String TEXT = "a b c d e";

    @TempDir
    Path temp;

    private static AttentionStandIn graph() {
        return AttentionStandIn.of(4, 1, 6, 2, 1, 1, 1);
    }

    private static String settings(String pooling, int basket, double strength) {
        return "pooling: %s\nattention-calibration: {basket: %s, strength: %s}\n".formatted(pooling, basket, strength);
    }

    /** What the pooled token attends to: [CLS] a b c d e [SEP] of each text. The texts are padded to one batch. */
    private float[][] attention(AttentionStandIn graph, String settings, String... texts) {
        try (DenseEncoder encoder = StandIns.open(temp, graph.toBytes(), StandIns.PLAIN + settings)) {
            List<TokenRow> rows = Arrays.stream(texts)
                    .map(text -> encoder.row(text, Role.PASSAGE))
                    .toList();
            return encoder.vectors(rows, Role.PASSAGE, encoder.padsLeft()).stream()
                    .map(vector ->
                            new float[] {vector[2], vector[5], vector[6], vector[7], vector[8], vector[9], vector[3]})
                    .toArray(float[][]::new);
        }
    }

    private static void assertAttention(float[] found, double... expected) {
        assertThat(found).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(found[i]).as("token %s", i).isCloseTo((float) expected[i], within(1e-6f));
        }
    }

    @Test
    void theStandInsAttentionIsWhatItSays() {
        assertAttention(
                attention(graph(), "pooling: cls\n", TEXT)[0],
                4 / 16.,
                6 / 16.,
                2 / 16.,
                1 / 16.,
                1 / 16.,
                1 / 16.,
                1 / 16.);
    }

    /** Baskets [CLS] | a b | c d | e [SEP] of 4, 8, 2 and 2 get a quarter each. */
    @Test
    void theFirstTokensAttentionIsTheSameForEachBasket() {
        assertAttention(attention(graph(), settings("cls", 2, 1), TEXT)[0], .25, .1875, .0625, .125, .125, .125, .125);
        assertAttention(
                attention(graph(), settings("cls", 2, 0.25), TEXT)[0],
                .25,
                .25 * .1875 + .75 * .375,
                .25 * .0625 + .75 * .125,
                .25 * .125 + .75 * .0625,
                .25 * .125 + .75 * .0625,
                .25 * .125 + .75 * .0625,
                .25 * .125 + .75 * .0625);
    }

    /** Baskets [CLS] | a b c d | e [SEP] of 4, 10 and 2. */
    @Test
    void theLastBasketMayBeShorter() {
        assertAttention(
                attention(graph(), settings("cls", 4, 1), TEXT)[0],
                1 / 3.,
                .6 / 3,
                .2 / 3,
                .1 / 3,
                .1 / 3,
                .5 / 3,
                .5 / 3);
    }

    /** Baskets [CLS] | a b | c d | e | [SEP]. */
    @Test
    void theLastTokenIsABasketOfItsOwnWhereItIsPooled() {
        assertAttention(attention(graph(), settings("last", 2, 1), TEXT)[0], .2, .15, .05, .1, .1, .2, .2);
    }

    /** Attention to c and d is too small for a float: three baskets are left. */
    @Test
    void aBasketWithoutAttentionStaysWithout() {
        AttentionStandIn graph = AttentionStandIn.of(4, 1, 6, 2, 0, 0, 1);
        assertAttention(attention(graph, settings("cls", 2, 1), TEXT)[0], 1 / 3., .25, .25 / 3, 0, 0, .5 / 3, .5 / 3);
    }

    @Test
    void otherTokensAttendAsBefore() {
        // The first token is calibrated and the last one pooled.
        byte[] graph = graph().toBytes();
        byte[] edited = new CalibratedGraph(2, 1, 1, false).apply("model.onnx", graph);
        assertThat(last(edited)).isEqualTo(last(graph));
        byte[] other = new CalibratedGraph(2, 1, 1, true).apply("model.onnx", graph);
        assertThat(last(other)).isNotEqualTo(last(graph));
    }

    private float[] last(byte[] graph) {
        try (DenseEncoder encoder = StandIns.open(temp, graph, StandIns.PLAIN + "pooling: last\n")) {
            return StandIns.encode(encoder, Role.PASSAGE, TEXT)[0];
        }
    }

    @ParameterizedTest
    @CsvSource({"cls, right", "cls, left", "last, right", "last, left"})
    void paddingIsInNoBasket(String pooling, String side) {
        String settings = settings(pooling, 2, 0.5) + "padding-side: " + side + "\n";
        float[] alone = attention(graph(), settings, TEXT)[0];
        float[][] together = attention(graph(), settings, "a b c d e f g h a b c d e f g h a", TEXT, "a", "a b c");
        assertAttention(together[1], toDoubles(alone));
        assertThat(together[2]).isEqualTo(attention(graph(), "pooling: " + pooling + "\n", "a")[0]);
    }

    /** A graph that lets tokens attend to padding: what is calibrated has none of it. */
    @ParameterizedTest
    @ValueSource(strings = {"left", "right"})
    void attentionToPaddingIsTakenAway(String side) {
        String settings = settings("cls", 2, 1) + "padding-side: " + side + "\n";
        float[][] found = attention(graph().unmasked(), settings, "f f f f f f f f f f f", TEXT);
        assertAttention(found[1], .25, .1875, .0625, .125, .125, .125, .125);
    }

    private static double[] toDoubles(float[] values) {
        double[] doubles = new double[values.length];
        Arrays.setAll(doubles, i -> values[i]);
        return doubles;
    }

    @Test
    void atFullStrengthAllBasketsHaveTheSameAndRowsSumToOne() {
        AttentionStandIn graph = AttentionStandIn.of(3, .2, 7, .01, 5, 90, 1e-3, 2, 11, .5);
        try (DenseEncoder encoder = StandIns.open(temp, graph.toBytes(), StandIns.PLAIN + settings("cls", 3, 1))) {
            float[] vector = StandIns.encode(encoder, Role.PASSAGE, "a b c d e f g h")[0];
            // [CLS] | a b c | d e f | g h [SEP]
            assertThat(vector[2]).isCloseTo(.25f, within(1e-6f));
            assertThat(vector[5] + vector[6] + vector[7]).isCloseTo(.25f, within(1e-6f));
            assertThat(vector[8] + vector[9] + vector[10]).isCloseTo(.25f, within(1e-6f));
            assertThat(vector[11] + vector[12] + vector[3]).isCloseTo(.25f, within(1e-6f));
        }
    }

    /** Six tokens behind [CLS]: one basket of six, or one of five and another. */
    @Test
    void aTextOfOneBasketIsLeftAsItIs() {
        float[] plain = attention(graph(), "pooling: cls\n", TEXT)[0];
        assertThat(attention(graph(), settings("cls", 6, 1), TEXT)[0]).isEqualTo(plain);
        assertThat(attention(graph(), settings("cls", 5, 1), TEXT)[0]).isNotEqualTo(plain);
        float[] last = attention(graph(), "pooling: last\n", TEXT)[0];
        assertThat(attention(graph(), settings("last", 5, 1), TEXT)[0]).isEqualTo(last);
        assertThat(attention(graph(), settings("last", 4, 1), TEXT)[0]).isNotEqualTo(last);
    }

    @Test
    void strengthZeroAndFalseChangeNothing() {
        float[] plain = attention(graph(), "pooling: cls\n", TEXT)[0];
        assertThat(attention(graph(), settings("cls", 2, 0), TEXT)[0]).isEqualTo(plain);
        assertThat(attention(graph(), "pooling: cls\nattention-calibration: false\n", TEXT)[0])
                .isEqualTo(plain);
        // Nothing is changed, so any graph will do.
        assertThat(attention(graph().softmax("LogSoftmax"), settings("cls", 2, 0), TEXT)[0])
                .hasSize(7);
    }

    @Test
    void theDefaultsAreThePapers() {
        Fields recipe = recipe("max-tokens: 512\nattention-calibration: true\n");
        assertThat(calibration(recipe, Pooling.LAST)).isEqualTo(new AttentionCalibration(128, 0.5, 0.5, true));
        Fields some = recipe("max-tokens: 512\nattention-calibration: {strength: 1}\n");
        assertThat(calibration(some, Pooling.CLS)).isEqualTo(new AttentionCalibration(128, 1, 0.5, false));
    }

    @Test
    void sixteenBitsAreCalibratedIn32() {
        float[] found = attention(graph().narrow(), settings("cls", 2, 1), TEXT)[0];
        double[] expected = {.25, .1875, .0625, .125, .125, .125, .125};
        for (int i = 0; i < expected.length; i++) {
            assertThat(found[i]).isCloseTo((float) expected[i], within(1e-3f));
        }
    }

    /** Dynamic quantisation leaves products of two computed matrices in floats. */
    @Test
    void aQuantisedGraphIsCalibratedWhereItsAttentionIsInFloats() {
        assertAttention(
                attention(graph().quantised(), settings("cls", 2, 1), TEXT)[0],
                .25,
                .1875,
                .0625,
                .125,
                .125,
                .125,
                .125);
    }

    @Test
    void weightsMayBeInAnotherFile() throws IOException {
        AttentionStandIn graph = graph();
        float[] logits = graph.logits();
        ByteBuffer weights = ByteBuffer.allocate(4 * logits.length).order(ByteOrder.LITTLE_ENDIAN);
        weights.asFloatBuffer().put(logits);
        Files.write(temp.resolve("weights.bin_data"), weights.array());
        String settings = settings("cls", 2, 1) + "external-data: [weights.bin_data]\n";
        assertAttention(
                attention(graph.external("weights.bin_data"), settings, TEXT)[0],
                .25,
                .1875,
                .0625,
                .125,
                .125,
                .125,
                .125);
    }

    @Test
    void vectorsAreCachedByTheirCalibration() {
        assertThat(new String[] {
                    space("pooling: cls\n"),
                    space(settings("cls", 2, 1)),
                    space(settings("cls", 3, 1)),
                    space(settings("cls", 2, 0.5))
                })
                .doesNotHaveDuplicates();
    }

    private String space(String settings) {
        try (DenseEncoder encoder = StandIns.open(temp, graph().toBytes(), StandIns.PLAIN + settings)) {
            return encoder.space();
        }
    }

    private void assertRefused(AttentionStandIn graph, String message) {
        assertThatThrownBy(() -> attention(graph, settings("cls", 2, 1), TEXT))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("model.onnx " + message, "attention-calibration");
    }

    @Test
    void graphsOfAnotherFormAreRefused() {
        assertRefused(graph().softmax("LogSoftmax"), "has no attention of the form MatMul, Softmax, MatMul, Transpose");
        assertRefused(graph().mask("mask"), "has no input attention_mask, which says what is padding");
        assertRefused(
                graph().softmax("GroupQueryAttention"),
                "has attention in operators that cannot be opened: {GroupQueryAttention=1} (a graph exported without"
                        + " fused attention is needed)");
        assertRefused(
                graph().headless(),
                "has attention of another form than rows x heads x tokens x tokens at \"attention\"");
    }

    @Test
    void oldOperatorsAndTornFilesAreRefused() {
        CalibratedGraph edit = new CalibratedGraph(2, 1, 1, false);
        byte[] old = graph().toBytes();
        assertThat(old[old.length - 1]).as("the version of operators").isEqualTo((byte) 18);
        old[old.length - 1] = 10;
        assertThatThrownBy(() -> edit.apply("x.onnx", old))
                .hasMessageContainingAll("x.onnx", "ONNX 10", "version 11", "attention-calibration");
        byte[] torn = Arrays.copyOf(graph().toBytes(), 700);
        assertThatThrownBy(() -> edit.apply("x.onnx", torn)).hasMessage("x.onnx is not a complete ONNX file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{basket: 0}|field \"attention-calibration.basket\" is 0",
                "{strength: 1.5}|field \"attention-calibration.strength\" is 1.5",
                "{strength: -0.1}|field \"attention-calibration.strength\" is -0.1",
                "{layers: 0}|field \"attention-calibration.layers\" is 0;",
                "{layers: 6}|field \"attention-calibration.layers\" is 6;",
                "{baskets: 6}|unknown field \"attention-calibration.baskets\"",
                "yes please|field \"attention-calibration\" is \"yes please\"",
                "{basket: 63}|max-tokens: 64",
            })
    void recipesAreChecked(String value, String message) {
        Fields recipe = recipe("max-tokens: 64\nattention-calibration: " + value + "\n");
        assertThatThrownBy(() -> calibration(recipe, Pooling.CLS))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MEAN", "MAX", "NONE"})
    void onlyOneTokensVectorIsCalibrated(Pooling pooling) {
        Fields recipe = recipe("max-tokens: 512\nattention-calibration: true\n");
        assertThatThrownBy(() -> calibration(recipe, pooling))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("pooling: cls", "pooling: last");
    }

    @Test
    void whatDoesNotFitIsKnownBeforeAnythingIsLoaded() {
        assertThat(AttentionCalibration.unfit(settings("pooling: cls\nmax-tokens: 512\n")))
                .isEmpty();
        assertThat(AttentionCalibration.unfit(settings("pooling: last\nmax-tokens: 130\n")))
                .hasValueSatisfying(why -> assertThat(why).startsWith("has max-tokens: 130, so that"));
        assertThat(AttentionCalibration.unfit(settings("pooling: last\nmax-tokens: 131\n")))
                .isEmpty();
        assertThat(AttentionCalibration.unfit(settings("max-tokens: 512\n")))
                .hasValueSatisfying(why -> assertThat(why).startsWith("has pooling: mean, and"));
    }

    private static DenseSettings settings(String yaml) {
        return StandIns.dense(recipe("source: {folder: .}\nonnx: {float32: m.onnx}\n" + yaml));
    }

    private static @Nullable AttentionCalibration calibration(Fields recipe, Pooling pooling) {
        return settings(Json.toYaml(recipe.toMap()) + "pooling: "
                        + pooling.name().toLowerCase(Locale.ROOT) + "\n")
                .calibration();
    }

    private static Fields recipe(String yaml) {
        return Json.parseYaml(Path.of("recipe.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
    }
}
