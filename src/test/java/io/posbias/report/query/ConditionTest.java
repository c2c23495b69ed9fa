package io.posbias.report.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.UsageException;
import io.posbias.report.query.QueryFields.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionTest {
    private static final Map<String, Kind> KINDS = kinds();

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        kinds.put("words", Kind.NUMBER);
        kinds.put("nDCG@10", Kind.NUMBER);
        kinds.put("language", Kind.TEXT);
        kinds.put("passage", Kind.TEXT);
        kinds.put("buckets", Kind.TEXT);
        return kinds;
    }

    /** 300 words, nDCG@10 0.5, German, "Owls and mice", in two buckets. */
    private static boolean holds(String text) {
        Map<String, Object> row = Map.of(
                "words",
                300,
                "nDCG@10",
                0.5,
                "language",
                "de",
                "passage",
                "Owls and mice",
                "buckets",
                List.of("0-100", "100+"));
        QueryCondition condition = QueryCondition.parse(text, KINDS);
        return condition.holds().test(Objects.requireNonNull(row.get(condition.field())));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            words>300               | false
            words >= 300            | true
            words<=300              | true
            words < 3e2             | false
            words = 300.0           | true
            words != 300            | false
            nDCG@10=.5              | true
            language=de             | true
            language = DE           | false
            language != de          | false
            passage = Owls and mice | true
            passage = Owls          | false
            passage != = 7          | true
            buckets = 0-100         | true
            buckets = 100+          | true
            buckets = 100           | false
            buckets != 100+         | false
            """)
    void comparesAFieldWithAValue(String condition, boolean expected) {
        assertThat(holds(condition)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            wrods>3           | unknown field "wrods"; did you mean words?
            lang=de           | unknown field "lang"; known: words, nDCG@10, language, passage, buckets
            words>many        | words is a number, and "many" is not
            words>3 and x=2   | words is a number, and "3 and x=2" is not
            words=>3          | words is a number, and ">3" is not
            language<de       | language is a text, which is compared by = and !=
            words>            | expected FIELD OP VALUE
            words             | expected FIELD OP VALUE
            >3                | expected FIELD OP VALUE
            words ! 3         | expected FIELD OP VALUE
            ``                | expected FIELD OP VALUE
            """)
    void whatIsWrongIsSaid(String condition, String error) {
        assertThatThrownBy(() -> QueryCondition.parse(condition, KINDS))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--where \"" + condition + "\": " + error);
    }
}
