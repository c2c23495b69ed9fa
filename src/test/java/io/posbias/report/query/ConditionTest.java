package io.posbias.report.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.UsageException;
import io.posbias.report.query.Condition.Truth;
import io.posbias.report.query.QueryFields.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionTest {
    private static final Map<String, Kind> KINDS = kinds();

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        kinds.put("words", Kind.NUMBER);
        kinds.put("nDCG@10", Kind.NUMBER);
        kinds.put("start", Kind.NUMBER);
        kinds.put("language", Kind.TEXT);
        kinds.put("passage", Kind.TEXT);
        kinds.put("buckets", Kind.TEXT);
        return kinds;
    }

    /** 300 words, nDCG@10 0.5, German, "it's 7", in two buckets; where its evidence starts is not known. */
    private static Truth truth(String condition) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("words", 300);
        row.put("nDCG@10", 0.5);
        row.put("start", null);
        row.put("language", "de");
        row.put("passage", "it's 7");
        row.put("buckets", List.of("0-100", "100+"));
        return ConditionParser.parse(condition, KINDS).of(row::get);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            words>300                                   | NO
            words >= 300                                | YES
            words<=300                                  | YES
            words < 3e2                                 | NO
            words = 300.0                               | YES
            words != 300                                | NO
            nDCG@10=.5                                  | YES
            language=de                                 | YES
            language = DE                               | NO
            language != "de"                            | NO
            language='de'                               | YES
            passage = 'it''s 7'                         | YES
            passage = "it's 7"                          | YES
            passage != 7                                | YES
            buckets = 0-100                             | YES
            buckets = 100+                              | YES
            buckets = 100                               | NO
            buckets != 100+                             | NO
            words>100 and language=de                   | YES
            words>100 AND Language                      | ERROR
            words>300 or language=de and words=300      | YES
            language=de or words=300 and words>300      | YES
            (language=de or words=300) and words>300    | NO
            not words=300 or language=de                | YES
            not (words=300 or language=de)              | NO
            not not words=300                           | YES
            start > 0                                   | UNKNOWN
            start = 0                                   | UNKNOWN
            start != 0                                  | UNKNOWN
            not start > 0                               | UNKNOWN
            start > 0 and words = 1                     | NO
            start > 0 and words = 300                   | UNKNOWN
            start > 0 or words = 300                    | YES
            start > 0 or words = 1                      | UNKNOWN
            """)
    void isTrueFalseOrNotKnown(String condition, String expected) {
        if (expected.equals("ERROR")) {
            assertThatThrownBy(() -> truth(condition)).isInstanceOf(UsageException.class);
        } else {
            assertThat(truth(condition)).isEqualTo(Truth.valueOf(expected));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            wrods>3                 | at character 1, before "wrods>3": unknown field "wrods"; did you mean words? Known: words, nDCG@10, start, language, passage, buckets
            words>3 and lang=de     | at character 13, before "lang=de": unknown field "lang"; known: words, nDCG@10, start, language, passage, buckets
            words>many              | at character 7, before "many": words holds numbers, and this is none
            words>'3'               | at character 7, before "'3'": words holds numbers, and this is none
            language<de             | at character 9, before "<de": language holds text, which is compared by = and !=
            words>3 language=de     | at character 9, before "language=de": 'and' or 'or' must join conditions
            words>3)                | at character 8, before ")": 'and' or 'or' must join conditions
            (words>3                | at the end of "(words>3": a parenthesis is not closed
            words>                  | at the end of "words>": a value is missing
            words                   | at the end of "words": after words one of = != < <= > >= must come
            words>3 and             | at the end of "words>3 and": a field is missing
            words=>3                | at character 7, before ">3": a value is missing
            words ! 3               | at character 7, before "! 3": no sign is written so
            language='de            | at character 10, before "'de": a quote is not closed
            """)
    void whatIsWrongIsSaidWithItsPlace(String condition, String error) {
        assertThatThrownBy(() -> ConditionParser.parse(condition, KINDS))
                .isInstanceOf(UsageException.class)
                .hasMessage("--where, " + error);
    }

    @Test
    void longConditionsAreReadAndDeepOnesRefused() {
        assertThat(truth("words=1 or ".repeat(2_000) + "words=300")).isEqualTo(Truth.YES);
        assertThat(truth("language='" + "x".repeat(100_000) + "'")).isEqualTo(Truth.NO);
        assertThatThrownBy(() -> truth("(".repeat(5_000) + "words=1" + ")".repeat(5_000)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("more than 100 conditions");
    }
}
