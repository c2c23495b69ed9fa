package io.posbias.study.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.study.diagnose.CollectionLengths.QueryType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryTypeTest {
    @ParameterizedTest
    @CsvSource({
        "en, What is it?, WHAT",
        "en, \u00abwhat's\u00bb new, WHAT",
        "en, HOW many are there?, HOW",
        "en, whose is it, WHO",
        "en, Whom did it hit?, WHO",
        "en, Which one?, WHICH",
        "en, why, WHY",
        "en, where is it?, WHERE",
        "en, when was it?, WHEN",
        "en, is it so, OTHERS",
        "en, Doesn't it?, OTHERS",
        "en, In what year was it?, OTHERS",
        "en, Whatever works., CLAIM",
        "en, Name the king., CLAIM",
        "en, 1990?, OTHERS",
        "zh, 为什么是什么？, WHY",
        "zh, 他什么时候来？, WHEN",
        "zh, 他做了什么？, WHAT",
        "zh, 哪一年发生？, WHEN",
        "zh, 哪个城市？, WHICH",
        "zh, 在哪里？, WHERE",
        "zh, 誰發明了它？, WHO",
        "zh, 有多少人？, HOW",
        "zh, 是这样吗, OTHERS",
        "zh, 北京？, OTHERS",
        "zh, 北京是首都。, CLAIM"
    })
    void interrogativeWordsTellTheKind(String language, String query, QueryType type) {
        assertThat(QueryType.of(query, language)).isEqualTo(type);
    }
}
