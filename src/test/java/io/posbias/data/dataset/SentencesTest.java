package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentencesTest {
    private static final String TEXT = "One is here.  Two follows!\nThree asks? Four.";

    @Test
    void whiteSpaceBetweenSentencesBelongsToNone() {
        Sentences sentences = Sentences.of(TEXT, "en");
        assertThat(sentences.all()).containsExactly("One is here.", "Two follows!", "Three asks?", "Four.");
        assertThat(sentences.join(sentences.all())).isEqualTo("One is here. Two follows! Three asks? Four.");
        assertThat(Sentences.of("  \n ", "en").size()).isZero();
        assertThat(Sentences.of("", "").size()).isZero();
    }

    @Test
    void chineseIsJoinedWithoutSpaces() {
        Sentences sentences = Sentences.of("猫在这里。狗在那里。鸟飞走了。", "zh");
        assertThat(sentences.all()).containsExactly("猫在这里。", "狗在那里。", "鸟飞走了。");
        assertThat(sentences.join(sentences.all().reversed())).isEqualTo("鸟飞走了。狗在那里。猫在这里。");
    }

    @ParameterizedTest
    @CsvSource({
        "hi, राम घर गया।|सीता वन गई॥|वह आया।",
        "ur, یہ کتاب ہے۔|وہ گھر ہے۔|کیا؟|ہاں۔",
        "ar, هذا كتاب.|هل هذا بيت؟|نعم.",
        "hy, Սա գիրք է։|Նա տուն է։",
        "am, ይህ መጽሐፍ ነው።|እሱ ቤት ነው፧|አዎ።",
        "am, ይህ መጽሐፍ ነው፡፡|እሱ ቤት ነው፡፡",
        "my, ဒါက စာအုပ်ပါ။|သူက အိမ်ပါ။",
        "bo, ཁྱི་འདི་དཀར་པོ་རེད།|བྱི་ལ་འདི་ནག་པོ་རེད།",
        "bo, བཀྲ་ཤིས་བདེ་ལེགས། །|ཁྱེད་རང་བདེ་པོ་ཡིན་པས། །",
        "km, នេះជាសៀវភៅ។|គាត់ជាគ្រូ។",
        "th, นี่คือหนังสือ|เขาเป็นครู",
        "th, หนังสือต่างๆ ปี 1629 โดยช่าง|เขาเป็นครู",
        "lo, ນີ້ແມ່ນປຶ້ມ|ລາວແມ່ນຄູ",
        "el, Τι κάνεις;|Καλά είμαι.",
        "'', See 《書》 of 3 vol. here; it is there.|A second."
    })
    void everyScriptHasItsStops(String language, String sentences) {
        String[] all = sentences.split("[|]", -1);
        assertThat(Sentences.of(String.join(" ", all), language).all()).containsExactly(all);
    }

    @Test
    void aPartIsHeldByTheSentencesThatItReachesInto() {
        Sentences sentences = Sentences.of(TEXT, "en");
        assertThat(sentences.holding(span("Two")).orElseThrow()).isEqualTo(new Sentences.Range(1, 2));
        assertThat(sentences.holding(span("here.  Two follows!\nThree")).orElseThrow())
                .isEqualTo(new Sentences.Range(0, 3));
        assertThat(sentences.holding(span("Four.")).orElseThrow()).isEqualTo(new Sentences.Range(3, 4));
        // The two spaces after the first sentence.
        assertThat(sentences.holding(new Span(12, 14))).isEmpty();
    }

    /** A span that begins with the first letter of a sentence does not take the one before. */
    @Test
    void sentencesThatTouchASpanAreNotInIt() {
        Sentences sentences = Sentences.of("猫在这里。狗在那里。鸟飞走了。", "zh");
        assertThat(sentences.holding(new Span(5, 10)).orElseThrow()).isEqualTo(new Sentences.Range(1, 2));
    }

    @Test
    void withoutARangeTheOthersKeepTheirOrder() {
        List<String> rest = Sentences.of(TEXT, "en").without(new Sentences.Range(1, 3));
        assertThat(rest).containsExactly("One is here.", "Four.");
    }

    private static Span span(String part) {
        int start = TEXT.indexOf(part);
        return new Span(start, start + part.length());
    }
}
