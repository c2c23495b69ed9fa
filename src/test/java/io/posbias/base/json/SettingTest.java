package io.posbias.base.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingTest {
    record Inner(@Setting(least = 1) int size) {}

    record Beside(@Setting(words = {"near", "far"}) String where) {}

    enum Size {
        SMALL,
        VERY_LARGE
    }

    /** Half of a number, or its text. */
    record Half(String text) {
        @Setting.Reader
        static Half of(Fields record, String field) {
            return record.raw(field) instanceof Number
                    ? new Half(String.valueOf(record.number(field) / 2))
                    : new Half(record.text(field));
        }
    }

    record Pair(int low, int high) {
        Pair {
            if (low > high) {
                throw new Setting.Wrong("low", "is " + low, "it is at most high");
            }
        }
    }

    record Various(
            @Setting(identifier = true) @Nullable String name,
            @Setting(usual = "small") Size size,
            @Setting(usual = "{}") Map<Size, List<String>> files,
            @Setting(usual = "[]") List<Pair> pairs,
            @Setting(usual = "0.5", above = 0, most = 1) double share,
            @Setting(usual = "[]", above = 0, below = 1) List<Double> shares,
            @Nullable Half half,
            @JsonUnwrapped Beside beside,
            Fields written) {}

    private static Various various(String yaml) {
        Fields file = Json.parseYaml(Path.of("p.yaml"), yaml.getBytes(StandardCharsets.UTF_8));
        return Json.settings(file, Various.class);
    }

    @Test
    void wordsMapsListsAndTypesThatReadThemselves() {
        Various read = various("{name: 7, size: very-large, files: {small: a, very-large: [b, c]},"
                + " pairs: [{low: 1, high: 2}], shares: 0.5, half: 3, where: far}");
        assertThat(read)
                .isEqualTo(new Various(
                        "7",
                        Size.VERY_LARGE,
                        Map.of(Size.SMALL, List.of("a"), Size.VERY_LARGE, List.of("b", "c")),
                        List.of(new Pair(1, 2)),
                        0.5,
                        List.of(0.5),
                        new Half("1.5"),
                        new Beside("far"),
                        read.written()));
        assertThat(read.written().names()).contains("half", "where");
        assertThat(Json.names(Various.class))
                .containsExactly("name", "size", "files", "pairs", "share", "shares", "half", "where");
        assertThat(various("{half: x}").half()).isEqualTo(new Half("x"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{name: ' a'} | \"name\" is \" a\"; an identifier is not empty",
                "{size: large} | \"size\" is \"large\"; it is one of small, very-large",
                "{files: {large: a}} | unknown field \"files.large\"",
                "{files: {small: [1]}} | \"files.small[0]\" is 1; it must be a string",
                "{pairs: [{low: 1, high: 2}, {low: 3, high: 2}]} | \"pairs[1].low\" is 3; it is at most high",
                "{pairs: [{low: 1}]} | \"pairs[0].high\" is missing",
                "{pairs: [1]} | \"pairs[0]\" is 1; it must be a record",
                "{share: 0} | \"share\" is 0; it is above 0, at most 1",
                "{shares: [0.5, 1]} | \"shares[1]\" is 1; it is between 0 and 1",
                "{half: [1]} | \"half\" is a list of 1; it must be a string",
            })
    void whatIsWrongInsideIsOneLine(String yaml, String said) {
        assertThatThrownBy(() -> various(yaml))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(said)
                .hasMessageNotContaining("\n");
    }

    record Outer(
            String model,
            @Setting(usual = "0.5", least = 0, most = 1) double share,
            @Setting(usual = "3") int mostWords,
            @Setting(usual = "[]") List<String> names,
            @Nullable Integer seed,
            @Nullable Inner cut,
            @JsonUnwrapped Beside beside) {
        Outer {
            if (mostWords == 13) {
                throw new Setting.Wrong("most-words", "is 13", "take another");
            }
        }
    }

    private static Outer read(String yaml) {
        Fields file = Json.parseYaml(Path.of("p.yaml"), ("stage: " + yaml).getBytes(StandardCharsets.UTF_8));
        return Json.settings(file.record("stage"), Outer.class);
    }

    @Test
    void whatIsNotThereIsUsual() {
        assertThat(read("{model: m}")).isEqualTo(new Outer("m", 0.5, 3, List.of(), null, null, new Beside("near")));
        assertThat(read("{model: m, share: 1, most-words: 4.0, names: a, seed: -1, cut: {size: 2}, where: far}"))
                .isEqualTo(new Outer("m", 1, 4, List.of("a"), -1, new Inner(2), new Beside("far")));
        assertThat(read("{model: \"a\\ud800\", names: [\"\\udc00\"]}"))
                .as("no file holds half characters")
                .isEqualTo(read("{model: \"a\\ufffd\", names: [\"\\ufffd\"]}"));
        assertThat(read("{model: m, seed: null, share: null}").share()).isEqualTo(0.5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | \"stage.model\" is missing",
                "{model: m, modle: n} | unknown field \"stage.modle\"; known: model",
                "{model: 5} | \"stage.model\" is 5; it must be a string",
                "{model: true} | \"stage.model\" is true; it must be a string",
                "{model: [a]} | \"stage.model\" is a list of 1; it must be a string",
                "{model: m, seed: '7'} | \"stage.seed\" is \"7\"; it must be a whole number",
                "{model: m, seed: 1.5} | \"stage.seed\" is 1.5; it must be a whole number",
                "{model: m, seed: 9999999999} | \"stage.seed\" is 9999999999; it must be a whole number",
                "{model: m, share: x} | \"stage.share\" is \"x\"; it must be a finite number",
                "{model: m, share: .inf} | \"stage.share\"",
                "{model: m, share: .nan} | \"stage.share\"",
                "{model: m, share: 2} | \"stage.share\" is 2; it is 0 to 1",
                "{model: m, names: [1]} | \"stage.names[0]\" is 1; it must be a string",
                "{model: m, cut: 5} | \"stage.cut\" is 5; it must be a record",
                "{model: m, cut: {}} | \"stage.cut.size\" is missing",
                "{model: m, cut: {size: 0}} | \"stage.cut.size\" is 0; it is 1 or more",
                "{model: m, cut: {sise: 0}} | unknown field \"stage.cut.sise\"",
                "{model: m, where: here} | \"stage.where\" is \"here\"; it is one of near, far",
                "{model: m, where: 5} | \"stage.where\" is 5; it must be a string",
                "{model: m, most-words: 13} | \"stage.most-words\" is 13; take another",
            })
    void whatIsWrongIsOneLine(String yaml, String said) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith("p.yaml")
                .hasMessageContaining(said)
                .hasMessageNotContaining("\n");
    }
}
