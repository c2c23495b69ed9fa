package io.posbias.model.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.files.IoErrors;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.cache.CachedEncoder;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.Ranking;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalibratedStrategyTest {
    private static final String BGE = "bge-small-en-v1.5";
    private static final String TEXT = "a b c d e";
    private static final List<String> GRAPHS = List.of(
            "attention", "attention-cls-2-1", "attention-cls-2-0.25", "attention-last-2-1", "attention-mean-2-1");

    @TempDir
    Path temp;

    /**
     * A model of one attention, in which [CLS] a b c d e [SEP] attend to each other by 4, 6, 2, 1, 1, 1, 1 of 16, and each
     * token's vector is its attention: scripts/tests/calibrated_golden.py.
     *
     * @param own fields of the model's recipe
     * @param strategies what wraps it, the innermost first: each its kind, and fields behind line feeds
     */
    private Recipe recipe(String own, String... strategies) {
        Path folder = temp.resolve("model" + own.hashCode());
        StandIns.write(
                folder,
                graph("attention"),
                "max-tokens: 200\nsimilarity: dot\nnormalise: false\ndimension: 13\n" + own);
        for (String name : GRAPHS) {
            write(folder.resolve(name + ".onnx"), graph(name));
        }
        Path file = folder.resolve("recipe.yaml");
        for (String strategy : strategies) {
            Path wrapping = folder.resolve("around-" + file.getFileName());
            String name = "wrapped-" + wrapping.getFileName();
            String yaml = "name: " + name + "\nmodel: " + file + "\nkind: " + strategy + "\n";
            write(wrapping, yaml.getBytes(StandardCharsets.UTF_8));
            file = wrapping;
        }
        return RecipeBook.find(file.toString());
    }

    /** The recipe's fields for a calibrated graph, whose name begins with its pooling. */
    private static String named(String graph) {
        return "pooling: " + graph.split("-", -1)[0] + "\nattention-calibration: attention-" + graph + ".onnx\n";
    }

    private static byte[] graph(String name) {
        return IoErrors.call("read", Path.of(name), () -> {
            try (InputStream in = CalibratedStrategyTest.class.getResourceAsStream(name + ".onnx")) {
                return Objects.requireNonNull(in).readAllBytes();
            }
        });
    }

    private static void write(Path file, byte[] content) {
        IoErrors.call("write", file, () -> Files.write(file, content));
    }

    private Engine engine() {
        return Engine.quiet(2, Sessions.in(temp));
    }

    private VectorSource encoder(Recipe recipe) {
        return recipe.oneVector().orElseThrow().open(engine());
    }

    private float[] vector(Recipe recipe) {
        return vector(recipe, TEXT, Role.PASSAGE);
    }

    private float[] vector(Recipe recipe, String text, Role role) {
        try (VectorSource encoder = encoder(recipe)) {
            return encoder.encode(List.of(text), role, "encode").read(0).clone();
        }
    }

    private String space(Recipe recipe) {
        try (CachedEncoder encoder = (CachedEncoder) encoder(recipe)) {
            return encoder.space();
        }
    }

    /** Calculated by hand. A mean has no baskets of one special token: its baskets are [CLS] a | b c | d e | [SEP]. */
    @ParameterizedTest
    @CsvSource({
        "cls-2-1, .25, .1875, .0625, .125, .125, .125, .125",
        "cls-2-0.25, .25, .328125, .109375, .078125, .078125, .078125, .078125",
        "last-2-1, .2, .15, .05, .1, .1, .2, .2",
        "mean-2-1, .1, .15, .16666667, .08333333, .125, .125, .25",
    })
    void itsVectorsAreTheCalibratedModels(
            String graph, float cls, float a, float b, float c, float d, float e, float sep) {
        Recipe calibrated = recipe(named(graph), "calibrated");
        float[] found = vector(calibrated);
        float[] expected = {cls, a, b, c, d, e, sep};
        int[] ids = {2, 5, 6, 7, 8, 9, 3};
        for (int i = 0; i < ids.length; i++) {
            assertThat(found[ids[i]]).as("token %s", i).isCloseTo(expected[i], within(1e-6f));
        }
        assertThat(calibrated.vectorBytes()).isEqualTo(13 * 4);
        assertThat(calibrated.maxTokens()).isEqualTo(200);
        assertThat(vector(recipe(named(graph)))[5]).as("without +calibrated").isCloseTo(6 / 16f, within(1e-6f));
    }

    @Test
    void eachGraphHasAFingerprintAndASpaceOfItsOwn() {
        List<Recipe> all = List.of(
                recipe(named("cls-2-1")),
                recipe(named("cls-2-1"), "calibrated"),
                recipe(named("cls-2-0.25"), "calibrated"),
                recipe(named("mean-2-1"), "calibrated"));
        assertThat(all.stream().map(RecipeBook::fingerprint)).doesNotHaveDuplicates();
        assertThat(all.stream().map(this::space)).doesNotHaveDuplicates();
    }

    @Test
    void rankingsAreByCalibratedVectors() {
        Recipe plain = recipe(named("cls-2-1"));
        Recipe calibrated = recipe(named("cls-2-1"), "calibrated");
        assertThat(scores(ranking(calibrated))).isNotEqualTo(scores(ranking(plain)));
        float[] query = vector(calibrated, "c a d", Role.QUERY);
        float[] best = vector(calibrated, "a", Role.PASSAGE);
        double product = IntStream.range(0, query.length)
                .mapToDouble(i -> query[i] * (double) best[i])
                .sum();
        assertThat(scores(ranking(calibrated)).getFirst()).isCloseTo((float) product, within(1e-6f));
    }

    private static List<Float> scores(Ranking ranking) {
        return IntStream.range(0, ranking.size()).mapToObj(ranking::score).toList();
    }

    private Ranking ranking(Recipe recipe) {
        List<Passage> passages = List.of(
                new Passage("p1", "", "a b c d e f g h"),
                new Passage("p2", "", "h g f e d c b a"),
                new Passage("p3", "", "c c c a"),
                new Passage("p4", "", "a"));
        Dataset dataset = new Dataset(
                DatasetCard.named("letters"),
                Map.of(),
                Passages.of(passages),
                List.of(new Query("q", "c a d", null)),
                new Qrels(Map.of()));
        try (Searcher searcher = recipe.retriever().open(dataset, engine())) {
            return searcher.search(dataset.queries(), 4).run().ranking(0);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bm25+calibrated | is of kind bm25: only graphs of dense encoders are calibrated",
                BGE + "+mirrored+calibrated | is of kind mirrored: only graphs of dense encoders are calibrated",
                "gte-multilingual-base+calibrated | names no graph with calibrated attention",
            })
    void whatDoesNotFitSaysWhatDoes(String recipe, String why) {
        assertThatThrownBy(() -> RecipeBook.find(recipe).retriever())
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("calibrated does not fit ")
                .hasMessageContaining(", which " + why.strip())
                .message()
                .satisfies(message -> assertThat(message.substring(message.indexOf("strategies that fit: ")))
                        .contains("chunked")
                        .doesNotContain("calibrated"));
    }

    /** Before any file of the model is looked for. */
    @ParameterizedTest
    @ValueSource(strings = {BGE, "all-minilm-l6-v2", "dragon-plus"})
    void withoutAGraphTheCommandThatWritesItIsPrinted(String model) {
        assertThatThrownBy(() -> RecipeBook.find(model + "+calibrated"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("'python3 scripts/export_onnx.py " + model + " --calibrated --out DIR'")
                .hasMessageNotContaining("\n");
        Recipe own = recipe("pooling: cls\n");
        assertThatThrownBy(() -> RecipeBook.find(own.settings().where().file() + "+calibrated"))
                .hasMessageContaining("export_onnx.py " + own.settings().where().file() + " --calibrated");
    }

    @Test
    void aPoolingOfNoKnownSourceIsRefused() {
        String max = named("cls-2-1").replace("pooling: cls", "pooling: max");
        assertThatThrownBy(() -> recipe(max, "calibrated")).hasMessageContaining("which has pooling: max");
    }

    @Test
    void whatIsCalibratedIsNotCalibratedAgain() {
        assertThatThrownBy(() -> recipe(named("cls-2-1"), "calibrated", "calibrated"))
                .hasMessageContaining(", which is calibrated already");
    }

    /** The file is there, but it is not what the recipe says. */
    @ParameterizedTest
    @CsvSource({"pooling: cls, attention.onnx", "pooling: last, attention-cls-2-1.onnx"})
    void aGraphOfPlainAttentionOrAnotherPoolingIsRefused(String pooling, String graph) {
        Recipe recipe = recipe(pooling + "\nattention-calibration: " + graph + "\n", "calibrated");
        assertThatThrownBy(() -> vector(recipe))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll(graph, pooling);
    }

    @Test
    void aGraphThatIsMissingIsRequiredLikeEachFile() {
        Recipe recipe = recipe("pooling: cls\nattention-calibration: gone.onnx\n", "calibrated");
        assertThat(recipe.files()).hasSize(1);
        assertThatThrownBy(() -> recipe.files().getFirst().requireAll(temp))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("gone.onnx is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "{basket: 64}", "../attention.onnx", "attention.bin"})
    void whatNamesNoGraphIsRefused(String value) {
        assertThatThrownBy(() -> recipe("attention-calibration: " + value + "\n"))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("attention-calibration");
    }

    @Test
    void twoEncodersHaveTwoCalibratedGraphs() {
        String two = named("cls-2-1") + "query-encoder: {onnx: {float32: attention.onnx}%s}\n";
        assertThatThrownBy(() -> recipe(two.formatted(""))).hasMessageContaining("attention-calibration");
        Recipe both = recipe(two.formatted(", attention-calibration: attention-cls-2-0.25.onnx"), "calibrated");
        assertThat(vector(both, TEXT, Role.PASSAGE)).isEqualTo(vector(recipe(named("cls-2-1"), "calibrated")));
        assertThat(vector(both, TEXT, Role.QUERY)).isEqualTo(vector(recipe(named("cls-2-0.25"), "calibrated")));
    }

    @Test
    void itIsComparedWhereTheRecipeNamesAGraphAndOtherStrategiesWrapIt() {
        assertThat(Strategy.usualAround(recipe(named("mean-2-1")))).contains("calibrated");
        assertThat(Strategy.usualAround(RecipeBook.find(BGE))).doesNotContain("calibrated");
        assertThat(vector(recipe(named("cls-2-1"), "calibrated", "mirrored")))
                .isEqualTo(vector(recipe(named("cls-2-1"), "calibrated")));
    }
}
