package io.posbias.model.encode.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.PairScorer;
import io.posbias.model.encode.StandInScorer;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.model.GraphScorer;
import io.posbias.model.encode.onnx.Tokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScorerCheckTest {
    @TempDir
    Path temp;

    private ModelCheck cross(StandInScorer model, String... more) throws IOException {
        return cross(model.write(temp, "stand-in", more));
    }

    private ModelCheck cross(Path recipe) {
        Engine engine = Engine.quiet(2, Sessions.hurried(temp.resolve("home")));
        try (GraphScorer scorer = new GraphScorer(StandIns.pairs(Json.readYaml(recipe)), engine)) {
            return ScorerCheck.of(scorer, engine);
        }
    }

    private ModelCheck causal(StandInScorer model, String... more) throws IOException {
        Engine engine = Engine.quiet(2, Sessions.hurried(temp.resolve("home")));
        Fields fields = Json.readYaml(model.writeCausal(temp, "stand-in", more));
        try (GraphScorer scorer = new GraphScorer(StandIns.answers(fields), engine)) {
            return ScorerCheck.of(scorer, engine);
        }
    }

    private static String fact(ModelCheck check, String name) {
        return check.facts().stream()
                .filter(fact -> fact.name().equals(name))
                .map(ModelCheck.Fact::value)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aSoundModelPasses() throws IOException {
        ModelCheck check = cross(StandInScorer.SOUND);
        assertThat(check.failures()).isEmpty();
        assertThat(fact(check, "device")).isEqualTo("cpu");
        assertThat(fact(check, "input")).isEqualTo("input_ids [batch, length] int64");
        assertThat(fact(check, "output")).isEqualTo("logits [batch, 1] float, read");
        assertThat(fact(check, "speed")).matches("\\d\\S* pairs/s, .*\\(8 pairs of 378 tokens in all, 2 threads\\)");
        assertThat(fact(check, "padding side")).isEqualTo("right");
        for (String place : List.of("first token", "last token", "query first token", "query last token")) {
            assertThat(fact(check, place)).matches("\\d\\.\\de-\\d+ at least when another one takes its place");
        }
        assertThat(causal(StandInScorer.SOUND).failures()).isEmpty();
    }

    /** The sums of the words' random numbers, made anew here. */
    @Test
    void scoresAreShownWithTheirRange() throws IOException {
        ModelCheck check = cross(StandInScorer.SOUND);
        float[] numbers = CheckWords.numbers(1);
        double[] sums = CheckTexts.ALL.stream()
                .mapToDouble(text -> sum(numbers, "[CLS] " + CheckTexts.QUERY + " [SEP] " + text + " [SEP]"))
                .toArray();
        DoubleSummaryStatistics range = Arrays.stream(sums).summaryStatistics();
        assertThat(fact(check, "scores"))
                .isEqualTo(String.format(Locale.ROOT, "%.4g to %.4g", range.getMin(), range.getMax()));
        long better = Arrays.stream(sums).filter(sum -> sum > sums[4]).count();
        assertThat(fact(check, "rank")).startsWith((better + 1) + " of 8");
        assertThat(fact(cross(StandInScorer.SOUND, "activation: sigmoid"), "scores"))
                .matches("\\d\\S* to \\d\\S*, the sigmoid of " + fact(check, "scores"));
    }

    private double sum(float[] numbers, String text) {
        try (Tokenizer tokenizer = Tokenizer.read("tokenizer.json", CheckWords.tokenizer(), Sessions.shared())) {
            return Arrays.stream(tokenizer.tokenize(text).ids())
                    .mapToDouble(id -> numbers[id])
                    .sum();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NO_MASK|padding on the right;up to N;attention mask",
                "PADDING_BREAKS|padding on the right;up to no number;attention mask",
                "SEES_BATCH|other pairs of a batch;up to N",
                "CUTS_END|stay the same;last token of the passage;at its end",
                "CUTS_BEGINNING|stay the same;first token of the passage;at its beginning",
                "NO_QUERY|stay the same;query's first and last tokens",
                "EQUAL|the same score",
                "NO_NUMBERS|not numbers;NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN",
            })
    void eachFaultIsFound(StandInScorer model, String warning) throws IOException {
        assertThat(cross(model).failures())
                .extracting(found -> found.replaceAll("\\d\\.\\de[-+]\\d\\d", "N"))
                // What reads only the end of a row cannot read the query either.
                .hasSize(model == StandInScorer.CUTS_BEGINNING ? 2 : 1)
                .first()
                .asString()
                .contains(warning.split(";", -1));
    }

    @Test
    void sharesOfTheRangeDoNotDependOnTheUnit() throws IOException {
        ModelCheck check = cross(StandInScorer.SOUND);
        ModelCheck small = cross(StandInScorer.SMALL);
        assertThat(fact(small, "scores")).isNotEqualTo(fact(check, "scores"));
        for (String place : List.of("first token", "last token", "query first token", "query last token")) {
            assertThat(fact(small, place)).isEqualTo(fact(check, place));
        }
    }

    @Test
    void anActivationThatLeavesNoOrderIsFound() throws IOException {
        assertThat(cross(StandInScorer.LARGE).failures()).isEmpty();
        assertThat(cross(StandInScorer.LARGE, "activation: sigmoid").failures())
                .singleElement()
                .asString()
                .matches("all passages get the same score: as 32-bit floats the sigmoid of \\d+.* to .* is one number");
    }

    @Test
    void theOtherSideIsToldButNoFault() throws IOException {
        ModelCheck right = cross(StandInScorer.RIGHT_ONLY);
        assertThat(right.failures()).isEmpty();
        assertThat(fact(right, "padded left")).endsWith(", which the recipe does not do");
        assertThat(cross(StandInScorer.RIGHT_ONLY, "padding-side: left").failures())
                .singleElement()
                .asString()
                .endsWith("set 'padding-side: right'");
    }

    @ParameterizedTest
    @CsvSource({"CUTS_END, input is lost at its end", "EQUAL, all passages get the same", "SEES_BATCH, of a batch"})
    void languageModelsAreCheckedAlike(StandInScorer model, String warning) throws IOException {
        assertThat(causal(model, "\"no\": \"no\"").failures())
                .singleElement()
                .asString()
                .contains(warning);
    }

    @Test
    void whichTokensAreYesAndNoIsTold() throws IOException {
        ModelCheck check = causal(StandInScorer.SOUND, "\"no\": \"no no\"");
        // Behind five special tokens and two markers.
        assertThat(fact(check, "yes")).isEqualTo("\"yes\", token 7");
        assertThat(fact(check, "no")).isEqualTo("\"no no\", token 8, the first of its 2");
        assertThat(check.facts()).extracting(ModelCheck.Fact::name).doesNotContain("logits");
        assertThat(causal(StandInScorer.SOUND).facts())
                .extracting(ModelCheck.Fact::name)
                .contains("yes")
                .doesNotContain("no");
    }

    @Test
    void aPassageWithoutRoomIsTold() throws IOException {
        Path recipe = StandInScorer.SOUND.write(temp, "stand-in");
        String text = Files.readString(recipe);
        // [CLS], five tokens of the query and [SEP] twice.
        assertThat(cross(Files.writeString(recipe, text.replace("max-tokens: 256", "max-tokens: 8")))
                        .failures())
                .singleElement()
                .asString()
                .contains("max-tokens", "no room");
        assertThat(cross(Files.writeString(recipe, text.replace("max-tokens: 256", "max-tokens: 13")))
                        .failures())
                .isEmpty();
    }

    private record Service(List<List<PairScorer.TextPair>> asked, float first, float second) implements PairScorer {
        @Override
        public String space() {
            return "";
        }

        @Override
        public Map<String, Number> usage() {
            return Map.of("api_calls", asked.size());
        }

        @Override
        public PairWork prepare(List<TextPair> pairs) {
            asked.add(pairs);
            // The last first: order means nothing here.
            return sink -> {
                sink.accept(List.of(new Scored(1, second, TextEncoder.UNKNOWN, false)));
                sink.accept(List.of(new Scored(0, first, TextEncoder.UNKNOWN, false)));
            };
        }

        @Override
        public void close() {}
    }

    private static ModelCheck service(float first, float second) {
        return ScorerCheck.ofService(new Service(new ArrayList<>(), first, second));
    }

    @Test
    void aServiceIsAskedOnceForTwoPassages() {
        Service service = new Service(new ArrayList<>(), 0.25f, 0.75f);
        ModelCheck check = ScorerCheck.ofService(service);
        assertThat(check.failures()).isEmpty();
        assertThat(service.asked)
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.list(PairScorer.TextPair.class))
                .hasSize(2)
                .extracting(PairScorer.TextPair::query)
                .containsOnly("What makes bread rise?");
        assertThat(fact(check, "answer")).matches("\\d\\S* s for 2 texts");
        assertThat(fact(check, "api calls")).isEqualTo("1");
        assertThat(fact(check, "scores")).contains("0.75 of", "0.25 of");
    }

    @Test
    void aServiceWithoutUsefulScoresIsFound() {
        assertThat(service(0.5f, 0.5f).failures()).singleElement().asString().contains("the same score");
        assertThat(service(Float.NaN, 0.5f).failures())
                .singleElement()
                .asString()
                .contains("not numbers");
        assertThat(service(0.5f, Float.POSITIVE_INFINITY).failures())
                .singleElement()
                .asString()
                .contains("not numbers");
    }
}
