package io.posbias.model.inside.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.model.retrieve.RecipeBook;
import io.posbias.base.json.Fields;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.model.DenseEncoder;
import io.posbias.model.encode.onnx.TokenRow;
import io.posbias.model.inside.Family;
import io.posbias.model.inside.TinyBertGraph;
import io.posbias.model.inside.TinyModels;
import io.posbias.model.retrieve.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Calibrated graphs on ONNX Runtime against numpy, and against white-box encoders with the same calibration. */
@Tag("slow")
class CalibratedGraphTest {
    private static final float CLOSE = 1e-5f;

    @TempDir
    Path home;

    static Stream<JsonNode> berts() {
        return CalibratedRowsTest.cases()
                .filter(one -> one.path("family").asString().equals("bert"));
    }

    private static void assertClose(float[] found, float[] expected, String what) {
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i]).as("%s, number %s", what, i).isCloseTo(expected[i], within(CLOSE));
        }
    }

    private DenseEncoder tinyBert(String settings) throws IOException {
        Recipe recipe = TinyModels.writeGraph(home);
        Files.write(home.resolve("model.onnx"), TinyBertGraph.write());
        Map<String, @Nullable Object> fields = recipe.record();
        fields.putAll(
                StandIns.write(home.resolve("none"), new byte[0], settings).toMap());
        fields.put("source", Map.of("folder", "."));
        fields.put("similarity", "dot");
        Fields all = new Fields(recipe.settings().where(), fields);
        return new DenseEncoder(StandIns.dense(all), Engine.quiet(1, Sessions.in(home)));
    }

    @ParameterizedTest
    @MethodSource("berts")
    void vectorsAreNumpysAloneAndInAPaddedBatch(JsonNode expected) throws IOException {
        List<TokenRow> rows = CalibratedRowsTest.rows(Family.BERT);
        try (DenseEncoder encoder = tinyBert(CalibratedRowsTest.recipe(expected))) {
            List<float[]> together = encoder.vectors(rows, Role.PASSAGE, false);
            for (int r = 0; r < rows.size(); r++) {
                JsonNode numbers = expected.path("vectors").path(r);
                float[] numpys = new float[numbers.size()];
                IntStream.range(0, numpys.length)
                        .forEach(i -> numpys[i] = (float) numbers.path(i).asDouble());
                float[] alone = encoder.vectors(List.of(rows.get(r)), Role.PASSAGE, false)
                        .getFirst();
                assertClose(alone, numpys, "row " + r + " alone");
                assertClose(together.get(r), numpys, "row " + r);
            }
        }
    }

    private static String words(int number) {
        StringBuilder text = new StringBuilder();
        List<String> words = List.of("the", "harbour", "closed", "early", "because", "a", "storm", "had", "been", "no");
        for (int i = 0; i < number; i++) {
            text.append(words.get((i * i + i / 7) % words.size())).append(' ');
        }
        return text.toString();
    }

    private Recipe bge(Map<String, Object> calibration) {
        Recipe plain = RecipeBook.find("bge-small-en-v1.5");
        Map<String, @Nullable Object> fields = plain.record();
        fields.put("attention-calibration", calibration);
        return RecipeBook.read(new Fields(plain.settings().where(), fields));
    }

    /** Texts of 2, 129, 130, 131, 258 and 512 tokens: one content basket of 128, two with one token, … */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"128, 0.5, 0.5", "64, 1, 1"})
    void bgeSmallsVectorsAreThoseOfTheWhiteBox(int basket, double strength, double layers) {
        Recipe recipe = bge(Map.of("basket", basket, "strength", strength, "layers", layers));
        Engine engine = Engine.quiet(1, Sessions.in(home));
        try (WhiteBox inside = WhiteBox.open(recipe, engine);
                DenseEncoder graph = new DenseEncoder(StandIns.dense(recipe.settings()), engine)) {
            for (int number : new int[] {0, 127, 128, 129, 256, 600}) {
                String text = words(number);
                float[] found = graph.vectors(List.of(graph.row(text, Role.PASSAGE)), Role.PASSAGE, false)
                        .getFirst();
                assertClose(found, inside.vector(text, Role.PASSAGE), number + " words");
            }
        }
    }

    /** What comes out for a text is the same to the last bit whatever else is encoded with it. */
    @Tag("slow")
    @Test
    void batchesDoNotShowInBgeSmallsVectorsAndShortTextsAreAsWithout() {
        Recipe recipe = bge(Map.of());
        Engine engine = Engine.quiet(1, Sessions.in(home));
        List<String> texts = IntStream.of(3, 127, 128, 300)
                .mapToObj(CalibratedGraphTest::words)
                .toList();
        try (DenseEncoder calibrated = new DenseEncoder(StandIns.dense(recipe.settings()), engine);
                DenseEncoder plain = new DenseEncoder(StandIns.dense(RecipeBook.find("bge-small-en-v1.5").settings()), engine)) {
            List<TokenRow> rows = new ArrayList<>();
            texts.forEach(text -> rows.add(calibrated.row(text, Role.PASSAGE)));
            List<float[]> together = calibrated.vectors(rows, Role.PASSAGE, false);
            for (int i = 0; i < rows.size(); i++) {
                List<TokenRow> row = List.of(rows.get(i));
                float[] alone = calibrated.vectors(row, Role.PASSAGE, false).getFirst();
                assertThat(together.get(i)).as("text %s", i).isEqualTo(alone);
                float[] without = plain.vectors(row, Role.PASSAGE, false).getFirst();
                if (rows.get(i).size() <= 129) {
                    assertThat(alone).as("text %s", i).isEqualTo(without);
                } else {
                    assertThat(alone).as("text %s", i).isNotEqualTo(without);
                }
            }
        }
    }
}
