package io.posbias.model.encode.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.StandInTokens;
import io.posbias.model.encode.StandIns;
import io.posbias.model.encode.model.TokenEncoder;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenCheckTest {
    private static final String[] LIKE_COLBERT = {
        "query-marker: \"[unused0]\"",
        "document-marker: \"[unused1]\"",
        "query-length: 32",
        "query-expansion: true",
        "skip: punctuation"
    };

    @TempDir
    Path temp;

    private ModelCheck check(StandInTokens model, String... more) throws IOException {
        Engine engine = Engine.quiet(2, Sessions.hurried(temp.resolve("home")));
        Path recipe = model.write(temp, "stand-in", more);
        try (TokenEncoder encoder = new TokenEncoder(StandIns.tokens(Json.readYaml(recipe)), engine)) {
            return TokenCheck.of(encoder, engine);
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
        ModelCheck check = check(StandInTokens.SOUND, LIKE_COLBERT);
        assertThat(check.failures()).isEmpty();
        assertThat(fact(check, "device")).isEqualTo("cpu");
        assertThat(fact(check, "dimension")).isEqualTo("8");
        assertThat(fact(check, "input")).isEqualTo("input_ids [batch, length] int64");
        assertThat(fact(check, "output")).contains("last_hidden_state", "[batch, length, 8]", "float");
        assertThat(fact(check, "speed")).matches("\\d\\S* texts/s, .*\\(8 texts of 338 tokens in all, 2 threads\\)");
        assertThat(fact(check, "padding side")).isEqualTo("right");
        assertThat(fact(check, "padded left")).startsWith("0 ");
        assertThat(check.facts())
                .filteredOn(
                        fact -> fact.name().startsWith("first ") || fact.name().startsWith("last "))
                .extracting(fact -> fact.name() + ": " + fact.value().replaceFirst("\\d\\.\\de-\\d+", "N"))
                .satisfiesExactly(
                        first -> assertThat(first).contains("first token: N", "its own vector"),
                        behind -> assertThat(behind).contains("first token: N", "behind"),
                        last -> assertThat(last).contains("last token: N", "its own vector"),
                        before -> assertThat(before).contains("last token: N", "before"));
    }

    @Test
    void skippedTokensAreCountedAndMayStillBeExchanged() throws IOException {
        // The texts have 34 commas, points, semicolons and question marks, most of them as their last token.
        ModelCheck check = check(StandInTokens.SOUND, "skip: punctuation");
        assertThat(fact(check, "vectors")).isEqualTo("296 of 330 tokens take part");
        assertThat(fact(check(StandInTokens.SOUND), "vectors")).isEqualTo("330 of 330 tokens take part");
        assertThat(fact(check(StandInTokens.SOUND, "drop-first: true"), "vectors"))
                .isEqualTo("322 of 330 tokens take part");
        assertThat(check.failures()).isEmpty();
    }

    @Test
    void queriesAreCheckedWithWhatTheRecipePutsAroundThem() throws IOException {
        ModelCheck check = check(StandInTokens.SOUND, LIKE_COLBERT);
        assertThat(fact(check, "query vectors")).isEqualTo("256 of 256 tokens take part");
        assertThat(fact(check, "query padded")).isEqualTo("never, as all rows are of 32 tokens");
        assertThat(check.facts())
                .extracting(ModelCheck.Fact::name)
                .contains("query last token")
                .doesNotContain("query padded right", "query padded left");
        // The classifier's and the separator's token and the marker leave three.
        ModelCheck shortQueries =
                check(StandInTokens.SOUND, "query-marker: \"[unused0]\"", "query-length: 6", "query-expansion: true");
        assertThat(fact(shortQueries, "query last token")).isEqualTo("not exchanged, as no text has 4 tokens");
        assertThat(shortQueries.failures()).isEmpty();
        assertThat(fact(check(StandInTokens.SOUND), "query padded right")).startsWith("0 ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NO_CONTEXT|vectors change with no other;without context",
                "CAUSAL|before the last token stay the same;causal",
                "LOOKS_AHEAD|behind the first token stay the same;at the beginning",
                "CUTS_END|the last token's own stays the same;at the end",
                "CUTS_BEGINNING|the first token's own stays the same;at the beginning",
                "NO_MASK|padding on the right;up to N;attention mask",
                "SEES_BATCH|other texts of a batch;up to N",
            })
    void eachFaultIsFoundAndToldOnce(StandInTokens model, String warning) throws IOException {
        assertThat(check(model, LIKE_COLBERT).failures())
                .extracting(found -> found.replaceAll("\\d\\.\\de[-+]\\d\\d", "N"))
                .singleElement()
                .asString()
                .contains(warning.split(";", -1));
    }

    @Test
    void aTokenizerThatKnowsNoWordIsFound() throws IOException {
        Path recipe = StandInTokens.SOUND.write(temp, "stand-in");
        Files.write(
                temp.resolve("tokenizer.json"),
                WordTokenizer.of(List.of("zebra")).toJson());
        Engine engine = Engine.quiet(1, Sessions.hurried(temp.resolve("home")));
        try (TokenEncoder encoder = new TokenEncoder(StandIns.tokens(Json.readYaml(recipe)), engine)) {
            assertThat(TokenCheck.of(encoder, engine).failures())
                    .singleElement()
                    .asString()
                    .contains("tokenizer", "the same token");
        }
    }
}
