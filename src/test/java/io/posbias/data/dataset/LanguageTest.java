package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageTest {
    @ParameterizedTest
    @CsvSource({
        "zh, zh",
        "ZH, zh",
        "zho, zh",
        "chinese, zh",
        "Chinese, zh",
        "zh-Hans, zh",
        "pt_BR, pt",
        "deu, de",
        "gu, gu"
    })
    void codesTagsAndNamesAreOneCode(String given, String code) {
        assertThat(Language.code(given)).isEqualTo(code);
    }

    @Test
    void unknownOnesSuggestTheNearest() {
        assertThatThrownBy(() -> Language.code("chinees"))
                .isInstanceOf(UsageException.class)
                .hasMessageContainingAll("\"chinees\"", "zh (chinese)?");
        assertThatThrownBy(() -> Language.code("qq!")).isInstanceOf(UsageException.class);
    }

    private static Language.Letters letters(String text) {
        Language.Letters letters = new Language.Letters();
        letters.add(text.repeat(100));
        return letters;
    }

    @Test
    void passagesInAnotherScriptAreRefused() {
        assertThatThrownBy(() -> letters("\u4e2d\u6587\u6bb5\u843d").check("en"))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("Han", "100%", "is en", "--language zh or ja");
        assertThatThrownBy(() -> letters("\u0440\u0443\u0441").check(""))
                .hasMessageContaining("mostly in Cyrillic script")
                .hasMessageEndingWith("--language ru or bg or sr or uk");
        assertThatThrownBy(() -> letters("text").check("zh")).hasMessageContaining("mostly in Latin script");
    }

    @ParameterizedTest
    @CsvSource({
        "\u4e2d\u6587, zh",
        "\u4e2d\u6587, ja",
        "text, de",
        "text, ''",
        "text, sr",
        "\u0440\u0443, sr",
        "\u0a97\u0ac1, gu",
        "1234, zh"
    })
    void othersAreNot(String text, String language) {
        assertThatCode(() -> letters(text).check(language)).doesNotThrowAnyException();
    }

    @Test
    void fewLettersSayNothing() {
        Language.Letters few = new Language.Letters();
        few.add("\u4e2d\u6587");
        assertThatCode(() -> few.check("en")).doesNotThrowAnyException();
    }
}
