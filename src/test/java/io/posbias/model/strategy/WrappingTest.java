package io.posbias.model.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrappingTest {
    private static final String MODEL = "all-minilm-l6-v2";

    private static final String BM25 = "b: 0.5\nlengths: exact\nanalyzer: standard\n";

    @TempDir
    Path temp;

    private String write(String name, String yaml) throws IOException {
        Path file = temp.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, yaml).toString();
    }

    @Test
    void theShorthandIsARecipeAroundAModel() {
        Recipe recipe = RecipeBook.find(MODEL + "+chunked:window=32:sentences=true");
        assertThat(recipe.name()).isEqualTo(MODEL + "+chunked-window-32-sentences-true");
        assertThat(recipe.kind()).isEqualTo("chunked");
        assertThat(recipe.family()).isEqualTo(RecipeBook.find(MODEL).family());
        assertThat(recipe.settings().integer("window", 0)).isEqualTo(32);
        assertThat(recipe.settings().flag("sentences")).isTrue();
        assertThat(recipe.wrapped()).hasSize(1);
        assertThat(RecipeBook.fingerprint(recipe.wrapped().getFirst()))
                .isEqualTo(RecipeBook.fingerprint(RecipeBook.find(MODEL)));
        assertThat(recipe.maxTokens()).isEqualTo(256);
        assertThat(recipe.files()).isEqualTo(RecipeBook.find(MODEL).files());
    }

    @Test
    void shorthandsWrapOneAnother() {
        Recipe recipe = RecipeBook.find(MODEL + "+mirrored+chunked:window=16");
        assertThat(recipe.kind()).isEqualTo("chunked");
        assertThat(recipe.wrapped().getFirst().kind()).isEqualTo("mirrored");
        assertThat(recipe.wrapped().getFirst().wrapped().getFirst().name()).isEqualTo(MODEL);
        assertThat(recipe.retriever()).isNotNull();
    }

    /** A usual window has 128 tokens, beside special ones. */
    @ParameterizedTest
    @CsvSource({"256, chunked", "128, chunked:window=64", "64, chunked:window=32"})
    void whatIsComparedByDefaultFitsTheModel(int maxTokens, String chunked) throws IOException {
        String recipe = write(
                "short.yaml",
                "name: short\nkind: dense\nsource: {folder: .}\nonnx: {float32: model.onnx}\ntokenizer: tokenizer.json\npooling: mean\n"
                        + "max-tokens: " + maxTokens + "\n");
        assertThat(Strategy.usualAround(RecipeBook.find(recipe))).contains(chunked);
    }

    @Test
    void theFingerprintIsThatOfAllThatIsWrapped() throws IOException {
        String weak = write("weak.yaml", "name: b\nkind: bm25\nk1: 1.0\n" + BM25);
        String strong = write("strong.yaml", "name: b\nkind: bm25\nk1: 2.0\n" + BM25);
        String described = write("described.yaml", BM25 + "kind: bm25\nk1: 1.0\ndescription: others\nname: b\n");
        String one = RecipeBook.fingerprint(RecipeBook.find(weak + "+chunked"));
        assertThat(RecipeBook.fingerprint(RecipeBook.find(strong + "+chunked"))).isNotEqualTo(one);
        assertThat(RecipeBook.fingerprint(RecipeBook.find(weak + "+chunked:window=16")))
                .isNotEqualTo(one);
        assertThat(RecipeBook.find(described + "+chunked").name()).isEqualTo("b+chunked");
        assertThat(RecipeBook.fingerprint(RecipeBook.find(described + "+chunked")))
                .isEqualTo(one);
    }

    /** The place of a mistake is what was typed, not the file of a model that is sound; one in that file keeps its place. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            +chunked:window=0           | field "window" is 0
            +chunked:window=257         | field "window" is 257
            +chunked:stride=129         | field "stride" is 129
            +mirrored:window=1          | unknown field "window"
            +calibrated                 | calibrated does not fit all-minilm-l6-v2, which names no graph
            +fused:with=5               | field "with" is 5
            +mirrored+chunked:window=0  | field "window" is 0
            """)
    void mistakesInWhatIsTyped(String strategy, String mistake) {
        assertThatThrownBy(() -> RecipeBook.find(MODEL + strategy))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(MODEL + strategy + ": " + mistake);
    }

    @Test
    void mistakesInFilesKeepTheirPlace() throws IOException {
        String weak = write("weak.yaml", "name: b\nkind: bm25\nk1: -1.0\n" + BM25);
        assertThatThrownBy(() -> RecipeBook.find(weak + "+chunked"))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith(weak + ": field \"k1\" is -1");
        String outer = write("outer.yaml", "name: o\nkind: chunked\nmodel: bm25\nwindow: 0\n");
        assertThatThrownBy(() -> RecipeBook.find(outer).retriever())
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith(outer + ": field \"window\" is 0");
    }

    @Test
    void aFileWrapsByNameByRecordAndByFile() throws IOException {
        String named = write("named.yaml", "name: w\nkind: chunked\nmodel: bm25\nwindow: 16\n");
        String record = write(
                "record.yaml",
                "name: w\nkind: chunked\nwindow: 16\nmodel:\n  name: b\n  kind: bm25\n  k1: 2\n  b: 0\n");
        String inner = write("inner/b.yaml", "name: b\nkind: bm25\nk1: 2\nb: 0\n");
        String file = write("file.yaml", "name: w\nkind: chunked\nwindow: 16\nmodel: " + inner + "\n");
        assertThat(RecipeBook.find(named).wrapped().getFirst().record())
                .isEqualTo(RecipeBook.find("bm25").record());
        assertThat(RecipeBook.find(record).wrapped().getFirst().settings().integer("k1", 0))
                .isEqualTo(2);
        assertThat(RecipeBook.fingerprint(RecipeBook.find(file)))
                .isEqualTo(RecipeBook.fingerprint(RecipeBook.find(record)));
    }

    @Test
    void aRecordMayWrapByNameToo() throws IOException {
        String file = write(
                "r.yaml",
                "name: outer\nkind: chunked\nwindow: 16\nmodel:\n  name: inner\n  kind: mirrored\n  model: " + MODEL
                        + "\n");
        Recipe recipe = RecipeBook.find(file);
        assertThat(recipe.wrapped().getFirst().wrapped().getFirst().name()).isEqualTo(MODEL);
        assertThat(recipe.retriever()).isNotNull();
    }

    @Test
    void aModelsFolderCountsFromTheFileThatNamesIt() throws IOException {
        String inner = write("models/m.yaml", """
                name: m
                kind: dense
                source:
                  folder: weights
                onnx:
                  float32: model.onnx
                max-tokens: 64
                pooling: mean
                dimension: 2
                """);
        String outer = write("own/w.yaml", "name: w\nkind: mirrored\nmodel: " + inner + "\n");
        String beside = write("models/w.yaml", "name: w\nkind: mirrored\nmodel: " + inner + "\n");
        Path weights = temp.resolve("models/weights");
        for (String recipe : List.of(outer, beside, inner + "+mirrored")) {
            assertThat(RecipeBook.find(recipe).files().getFirst().folder(temp.resolve("home")))
                    .as(recipe)
                    .contains(weights);
        }
    }

    @Test
    void noRecipeWrapsItself() throws IOException {
        Path self = temp.resolve("self.yaml");
        write("self.yaml", "name: self\nkind: chunked\nmodel: " + self + "\n");
        assertThatThrownBy(() -> RecipeBook.find(self.toString()))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("self -> self");
        Path two = temp.resolve("two.yaml");
        write("one.yaml", "name: one\nkind: mirrored\nmodel: " + two + "\n");
        write("two.yaml", "name: two\nkind: fused\nmodel: bm25\nwith: [" + temp.resolve("one.yaml") + "]\n");
        assertThatThrownBy(() -> RecipeBook.find(two.toString()))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("two -> one -> two");
        assertThatThrownBy(() -> RecipeBook.find(two + "+chunked")).hasMessageContaining("cannot wrap itself");
    }

    @Test
    void aStrategyAroundARecipeKeepsWhatWasSetOfIt() {
        Recipe model = RecipeBook.with(RecipeBook.find("ms-marco-minilm-l6-v2"), Map.of("depth", 7));
        assertThat(RecipeBook.within(model, "fused")
                        .wrapped()
                        .getFirst()
                        .settings()
                        .integer("depth"))
                .isEqualTo(7);
        assertThat(RecipeBook.within(RecipeBook.find(MODEL), "mirrored+chunked:window=64")
                        .record())
                .isEqualTo(
                        RecipeBook.find(MODEL + "+mirrored+chunked:window=64").record());
        assertThatThrownBy(() -> RecipeBook.within(RecipeBook.find(MODEL), "chunked:window"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("+chunked:window: a strategy has the form");
        assertThatThrownBy(() -> RecipeBook.within(RecipeBook.find(MODEL), "chunkd"))
                .hasMessageContaining("unknown strategy");
    }

    @Test
    void unknownStrategiesAndFieldsAreSuggested() {
        assertThatThrownBy(() -> RecipeBook.find(MODEL + "+chunkd"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(MODEL + "+chunkd:")
                .hasMessageContainingAll("\"chunkd\"", "did you mean chunked?");
        assertThatThrownBy(() -> RecipeBook.find(MODEL + "+dense")).hasMessageContaining("unknown strategy \"dense\"");
        assertThatThrownBy(() -> RecipeBook.find(MODEL + "+chunked:windw=3").retriever())
                .hasMessageContaining("windw")
                .hasMessageContaining("window");
        assertThatThrownBy(() -> RecipeBook.find(MODEL + "+chunked:window=3:window=4"))
                .isInstanceOf(UsageException.class)
                .hasMessageEndingWith("sets window twice");
        assertThatThrownBy(() -> RecipeBook.find("minilm+chunked")).isInstanceOf(UsageException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bge-small-en-v1.5+late-chunked | does not pool by the mean over tokens | chunked",
                "bm25+late-chunked | has no token vectors to average | chunked",
                "bm25+mirrored | counts words in any order | chunked",
                "bm25+quantised | does not encode a passage as one vector | chunked",
                "bm25+truncated-dimensions | does not encode a passage as one vector | fused",
                "colbertv2.0+quantised | does not encode a passage as one vector | mirrored",
                MODEL + "+chunked+quantised | does not encode a passage as one vector | mirrored",
            })
    void whatDoesNotFitSaysWhatDoes(String recipe, String why, String fits) {
        assertThatThrownBy(() -> RecipeBook.find(recipe))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(" does not fit ")
                .hasMessageContaining(", which " + why.strip())
                .message()
                .satisfies(message -> assertThat(message.substring(message.indexOf("strategies that fit: ")))
                        .contains(fits.strip())
                        .doesNotContain(" " + recipe.substring(recipe.lastIndexOf('+') + 1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+chunked:window=257",
                "+chunked:window=8:stride=0",
                "+chunked:window=8:stride=9",
                "+chunked:best=2",
                "+chunked:score=least",
                "+late-chunked:overlap=16",
                "+late-chunked:overlap=256",
                "+fused:weights=[1]",
                "+fused:weights=[1, -1]",
                "+fused:depth=0",
                "+fused:with=[]",
                "+quantised:numbers=int4",
                "+quantised:rescored=4",
                "+truncated-dimensions:dimensions=385",
                "+truncated-dimensions:dimensions=0",
                "+mirrored:window=4"
            })
    void settingsThatMakeNoSenseAreRefused(String settings) {
        assertThatThrownBy(() -> RecipeBook.find(MODEL + settings).retriever())
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining(settings.substring(settings.indexOf(':') + 1, settings.indexOf('=')));
    }

    @Test
    void oneModelIsWrappedAndItIsNamed() throws IOException {
        String none = write("none.yaml", "name: w\nkind: chunked\n");
        assertThatThrownBy(() -> RecipeBook.find(none).retriever())
                .hasMessageContainingAll("\"model\" is missing", "chunked");
        String several = write("several.yaml", "name: w\nkind: chunked\nmodel: [bm25, " + MODEL + "]\n");
        assertThatThrownBy(() -> RecipeBook.find(several).retriever())
                .hasMessageContainingAll("\"model\" is a list", "chunked");
        String number = write("number.yaml", "name: w\nkind: chunked\nmodel: 3\n");
        assertThatThrownBy(() -> RecipeBook.find(number)).hasMessageContaining("field \"model\" is 3");
    }
}
