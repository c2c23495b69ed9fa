package io.posbias.model.encode.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.TextEncoder;
import io.posbias.model.encode.model.DenseEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncoderCheckTest {
    @TempDir
    Path temp;

    private ModelCheck check(Path recipe) {
        Engine engine = Engine.quiet(2, Sessions.hurried(temp.resolve("home")));
        try (DenseEncoder encoder = new DenseEncoder(StandIns.dense(Json.readYaml(recipe)), engine)) {
            return EncoderCheck.of(encoder, engine);
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
        ModelCheck check = check(StandIn.SOUND.write(temp, "stand-in"));
        assertThat(check.failures()).isEmpty();
        assertThat(check.outcome()).isEqualTo(ModelCheck.Outcome.OK);
        assertThat(fact(check, "input")).isEqualTo("input_ids [batch, length] int64");
        assertThat(fact(check, "output")).contains("last_hidden_state", "[batch, length, 8]", "float");
        assertThat(fact(check, "dimension")).isEqualTo("8");
        assertThat(fact(check, "device")).isEqualTo("cpu");
        assertThat(fact(check, "padded right")).startsWith("0 between");
        assertThat(fact(check, "speed"))
                .matches("\\d\\S* texts/s, \\d\\S* tokens/s \\(8 texts of \\d+ tokens.*2 threads\\)");
    }

    @ParameterizedTest
    @CsvSource({
        "CAUSAL_POOLED_FIRST, vectors stay the same whatever the last token is",
        "LOSES_FIRST, vectors stay the same whatever the first token is",
        "NO_MASK, ignores its attention mask",
        "SEES_BATCH, vectors depend on the other texts of a batch",
    })
    void eachFaultIsFound(StandIn model, String warning) throws IOException {
        ModelCheck check = check(model.write(temp, "stand-in"));
        assertThat(check.outcome()).isEqualTo(ModelCheck.Outcome.FAIL);
        assertThat(check.failures()).singleElement().asString().contains(warning);
    }

    /** A graph in 8 bits gets no batches when it counts. */
    @Test
    void companyIsNoFaultOfAQuantisedGraph() throws IOException {
        Path recipe = StandIn.SEES_BATCH.write(temp, "stand-in", "precision: int8");
        Files.writeString(recipe, Files.readString(recipe).replace("float32:", "int8:"));
        ModelCheck check = check(recipe);
        assertThat(check.failures()).isEmpty();
        assertThat(fact(check, "alone or not")).doesNotStartWith("0 ").contains("int8");
    }

    @Test
    void theOtherSideIsToldButNoFault() throws IOException {
        ModelCheck right = check(StandIn.RIGHT_ONLY.write(temp, "stand-in"));
        assertThat(right.failures()).isEmpty();
        assertThat(fact(right, "padded left")).endsWith(", which the recipe does not do");
        ModelCheck left = check(StandIn.RIGHT_ONLY.write(temp, "stand-in", "padding-side: left"));
        assertThat(left.failures())
                .singleElement()
                .asString()
                .contains("padding on the left, the recipe's side")
                .endsWith("set 'padding-side: right'");
    }

    @Test
    void promptsAndSpecialTokensAreNotExchanged() throws IOException {
        // The appended token is the one that is pooled last, and it is not the text's own.
        ModelCheck check = check(
                StandIn.RIGHT_ONLY.write(temp, "stand-in", "append: [\"Bread\"]", "document-prompt: \"The museum \""));
        assertThat(check.failures()).isEmpty();
    }

    @Test
    void anEncoderForQueriesIsCheckedToo() throws IOException {
        Files.write(Files.createDirectories(temp.resolve("query")).resolve("model.onnx"), StandIn.SEES_BATCH.graph());
        ModelCheck check = check(StandIn.SOUND.write(
                temp, "stand-in", "query-encoder: {source: {folder: query}, onnx: {float32: model.onnx}}"));
        assertThat(check.failures()).singleElement().asString().startsWith("query vectors depend on the other texts");
        assertThat(fact(check, "query input")).isEqualTo("input_ids [batch, length] int64");
    }

    @Test
    void aTokenizerThatKnowsNoWordIsFound() throws IOException {
        Path recipe = StandIn.SOUND.write(temp, "stand-in");
        Files.write(
                temp.resolve("tokenizer.json"),
                Json.toBytes(Map.of(
                        "version",
                        "1.0",
                        "added_tokens",
                        List.of(),
                        "model",
                        Map.of("type", "WordLevel", "vocab", Map.of("[UNK]", 1), "unk_token", "[UNK]"))));
        assertThat(check(recipe).failures()).singleElement().asString().contains("tokenizer", "the same token");
    }

    @Test
    void anotherDimensionIsAnError() throws IOException {
        Path recipe = StandIn.SOUND.write(temp, "stand-in", "dimension: 9");
        assertThatThrownBy(() -> check(recipe))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("dimension 9", "gives 8");
    }

    private static final class Service implements TextEncoder {
        private final List<List<String>> asked = new ArrayList<>();
        private final boolean same;

        Service(boolean same) {
            this.same = same;
        }

        @Override
        public int dimension() {
            return 2;
        }

        @Override
        public String space() {
            return "";
        }

        @Override
        public Map<String, Number> usage() {
            return Map.of("api_calls", asked.size());
        }

        @Override
        public EncodingWork prepare(List<String> texts, Role role) {
            asked.add(texts);
            return sink -> {
                for (int i = 0; i < texts.size(); i++) {
                    sink.accept(List.of(new Encoded(i, new float[] {1, same ? 0 : i}, 1, WHOLE)));
                }
            };
        }

        @Override
        public void close() {}
    }

    @Test
    void aServiceIsAskedOnce() {
        Service service = new Service(false);
        ModelCheck check = EncoderCheck.ofService(service, service.dimension());
        assertThat(check.outcome()).isEqualTo(ModelCheck.Outcome.OK);
        assertThat(service.asked)
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(2);
        assertThat(fact(check, "api calls")).isEqualTo("1");
        assertThat(EncoderCheck.ofService(new Service(true), 2).failures())
                .singleElement()
                .asString()
                .contains("the same vector");
    }

    @Test
    void textsAreOfDifferentLengths() {
        assertThat(CheckTexts.ALL.stream()
                        .map(text -> Arrays.asList(text.split(" ", -1)).size()))
                .doesNotHaveDuplicates()
                .hasSize(8);
    }
}
