package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {
    private static List<String> cut(String text, String language) {
        return Words.cut(text, language).stream().map(span -> span.of(text)).toList();
    }

    @Test
    void punctuationStaysWithItsWordAndThePiecesMakeUpTheText() {
        String text = "  He said: \"No (really), I don't!\"  Then state-of and/or the 3.5 art…\n";
        List<String> words = cut(text, "en");
        assertThat(words)
                .containsExactly(
                        "  He ",
                        "said: ",
                        "\"No ",
                        "(really), ",
                        "I ",
                        "don't!\"  ",
                        "Then ",
                        "state-of ",
                        "and/",
                        "or ",
                        "the ",
                        "3.5 ",
                        "art…\n");
        assertThat(String.join("", words)).isEqualTo(text);
    }

    @Test
    void charactersThatStandWithoutSpacesAreWords() {
        assertThat(cut("狐狸住在桥下。第3座", "zh")).containsExactly("狐", "狸", "住", "在", "桥", "下。", "第", "3", "座");
        assertThat(cut("橋の下で", "ja")).hasSize(4);
        assertThat(cut("여우는 다리 밑", "ko")).hasSize(3);
        // Outside the basic plane.
        assertThat(cut("a 𠮷野 b", "ja")).containsExactly("a ", "𠮷", "野 ", "b");
    }

    /** Thai by the JDK's dictionary, whatever the language is said to be; Lao, Khmer and Burmese by characters with their signs. */
    @Test
    void otherScriptsWithoutSpacesHaveWords() {
        assertThat(cut("นี่คือหนังสือ เขา", "th")).containsExactly("นี่", "คือ", "หนังสือ ", "เขา");
        assertThat(cut("นี่คือหนังสือ เขา", "")).hasSize(4);
        assertThat(cut("ນີ້ແມ່ນປຶ້ມ", "lo")).hasSizeBetween(4, 8);
        assertThat(cut("នេះជាសៀវភៅ។", "km"))
                .hasSizeBetween(4, 9)
                .last()
                .asString()
                .endsWith("។");
        assertThat(String.join("", cut("ဒါက စာအုပ်ပါ။", "my"))).isEqualTo("ဒါက စာအုပ်ပါ။");
        assertThat(cut("राम घर गया।", "hi")).containsExactly("राम ", "घर ", "गया।");
    }

    @Test
    void aTextWithoutAWordHasNone() {
        assertThat(cut("", "en")).isEmpty();
        assertThat(cut(" ... 🦊 !", "en")).isEmpty();
    }
}
