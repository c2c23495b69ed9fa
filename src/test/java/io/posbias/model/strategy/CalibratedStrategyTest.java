package io.posbias.model.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.AttentionStandIn;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.cache.CachedEncoder;
import io.posbias.model.encode.cache.VectorSource;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.Searcher;
import io.posbias.rank.Ranking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalibratedStrategyTest {
    private static final String BGE = "bge-small-en-v1.5";
    private static final String TEXT = "a b c d e";

    @TempDir
    Path temp;

    /**
     * [CLS] a b c d e [SEP] attend to each other by 4, 6, 2, 1, 1, 1, 1 of 16.
     *
     * @param own fields of the model's recipe
     * @param strategies what wraps it, the innermost first: each its kind, and fields behind line feeds
     */
    private Recipe recipe(String own, String... strategies) {
        Path folder = temp.resolve("model" + own.hashCode());
        StandIns.write(
                folder,
                AttentionStandIn.of(4, 1, 6, 2, 1, 1, 1).toBytes(),
                "max-tokens: 200\nsimilarity: dot\nnormalise: false\ndimension: 13\npooling: cls\n" + own);
        Path file = folder.resolve("recipe.yaml");
        for (String strategy : strategies) {
            Path wrapping = folder.resolve("around-" + file.getFileName());
            String name = "wrapped-" + wrapping.getFileName();
            write(wrapping, "name: " + name + "\nmodel: " + file + "\nkind: " + strategy + "\n");
            file = wrapping;
        }
        return RecipeBook.find(file.toString());
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Engine engine() {
        return Engine.quiet(2, Sessions.in(temp));
    }

    private VectorSource encoder(Recipe recipe) {
        return recipe.oneVector().orElseThrow().open(engine());
    }

    private float[] vector(Recipe recipe) {
        try (VectorSource encoder = encoder(recipe)) {
            return encoder.encode(List.of(TEXT), Role.PASSAGE, "encode").read(0).clone();
        }
    }

    private String space(Recipe recipe) {
        try (CachedEncoder encoder = (CachedEncoder) encoder(recipe)) {
            return encoder.space();
        }
    }

    /** Baskets [CLS] | a b | c d | e [SEP] of 4, 8, 2 and 2 of 16 get a quarter each, or are a quarter of the way there. */
    @ParameterizedTest
    @CsvSource({"1, .25, .1875, .0625, .125, .125", ".25, .25, .328125, .109375, .078125, .078125"})
    void itsVectorsAreTheCalibratedModels(double strength, float cls, float a, float b, float c, float sep) {
        Recipe calibrated = recipe("", "calibrated\nbasket: 2\nlayers: 1\nstrength: " + strength);
        float[] found = vector(calibrated);
        float[] expected = {cls, a, b, c, c, c, sep};
        int[] ids = {2, 5, 6, 7, 8, 9, 3};
        for (int i = 0; i < ids.length; i++) {
            assertThat(found[ids[i]]).as("token %s", i).isCloseTo(expected[i], within(1e-6f));
        }
        String field = "attention-calibration: {basket: 2, layers: 1, strength: " + strength + "}\n";
        assertThat(vector(recipe(field))).isEqualTo(found);
        assertThat(calibrated.vectorBytes()).isEqualTo(13 * 4);
        assertThat(calibrated.maxTokens()).isEqualTo(200);
    }

    @Test
    void eachSettingHasAFingerprintAndASpaceOfItsOwn() {
        List<Recipe> all = List.of(
                recipe(""),
                recipe("", "calibrated"),
                recipe("", "calibrated\nbasket: 2"),
                recipe("", "calibrated\nstrength: 0.25"),
                recipe("", "calibrated\nlayers: 1"));
        assertThat(all.stream().map(RecipeBook::fingerprint)).doesNotHaveDuplicates();
        assertThat(all.stream().map(this::space)).doesNotHaveDuplicates();
        assertThat(RecipeBook.find(BGE + "+calibrated:basket=64").name()).isEqualTo(BGE + "+calibrated-basket-64");
        // The defaults calibrate no text of so few tokens.
        assertThat(vector(all.get(1))).isEqualTo(vector(all.get(0)));
        assertThat(vector(all.get(2))).isNotEqualTo(vector(all.get(0)));
    }

    @Test
    void aStrengthOfZeroGivesThePlainRankingAndAnotherDoesNot() {
        Ranking plain = ranking();
        Ranking none = ranking("calibrated\nbasket: 2\nstrength: 0");
        assertThat(none.passages()).containsExactly(plain.passages());
        assertThat(scores(none)).isEqualTo(scores(plain));
        assertThat(scores(ranking("calibrated\nbasket: 2\nstrength: 1"))).isNotEqualTo(scores(plain));
    }

    private static List<Float> scores(Ranking ranking) {
        return IntStream.range(0, ranking.size()).mapToObj(ranking::score).toList();
    }

    private Ranking ranking(String... strategies) {
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
        try (Searcher searcher = recipe("", strategies).retriever().open(dataset, engine())) {
            return searcher.search(dataset.queries(), 4).run().ranking(0);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "all-minilm-l6-v2+calibrated | has pooling: mean, and the attention of one token is calibrated",
                "bm25+calibrated | is of kind bm25: only dense encoders pool one token's vector",
                BGE + "+mirrored+calibrated | is of kind mirrored: only dense encoders pool one token's vector",
                BGE + "+calibrated+calibrated | is calibrated already",
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

    @Test
    void aRecipeWithTheFieldIsCalibratedAlready() {
        assertThatThrownBy(() -> recipe("attention-calibration: {basket: 2}\n", "calibrated")
                        .retriever())
                .hasMessageContaining(", which is calibrated already");
        assertThat(vector(recipe("attention-calibration: false\n", "calibrated\nbasket: 2")))
                .isEqualTo(vector(recipe("", "calibrated\nbasket: 2")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"basket=0", "basket=600", "strength=1.5", "strength=-1", "layers=0", "layers=2", "window=3"})
    void settingsThatMakeNoSenseAreRefused(String setting) {
        assertThatThrownBy(() -> RecipeBook.find(BGE + "+calibrated:" + setting).retriever())
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining(setting.substring(0, setting.indexOf('=')));
    }

    @Test
    void itIsComparedWhereItFitsAndOtherStrategiesWrapIt() {
        assertThat(Strategy.usualAround(RecipeBook.find(BGE))).contains("calibrated");
        assertThat(Strategy.usualAround(RecipeBook.find("all-minilm-l6-v2"))).doesNotContain("calibrated");
        assertThat(vector(recipe("", "calibrated\nbasket: 2", "mirrored")))
                .isEqualTo(vector(recipe("", "calibrated\nbasket: 2")))
                .isNotEqualTo(vector(recipe("", "mirrored")));
    }
}
