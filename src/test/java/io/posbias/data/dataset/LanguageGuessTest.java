package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LanguageGuessTest {
    private static final Map<String, String> TEXTS = Map.of(
            "en",
            "The river that runs through the valley has been used by the mills of the town for more than three hundred years. Most of the people who live there today work in the city and come home late. Nobody knows why the church was built so far from the market. ",
            "de",
            "Der Fluss, der durch das Tal fließt, wird von den Mühlen der Stadt seit mehr als dreihundert Jahren genutzt. Die meisten Menschen, die heute dort wohnen, arbeiten in der Stadt und kommen spät nach Hause. Niemand weiß, warum die Kirche so weit vom Markt gebaut wurde. ",
            "fr",
            "La rivière qui traverse la vallée est utilisée par les moulins de la ville depuis plus de trois cents ans. La plupart des gens qui y habitent aujourd'hui travaillent en ville et rentrent tard chez eux. Personne ne sait pourquoi l'église a été construite si loin du marché. ",
            "fa",
            "روستا در کنار رودخانه و زیر تپه‌های شمالی قرار دارد و بیشتر مردمی که امروز در آن زندگی می‌کنند در شهر کار می‌کنند. آسیاب قدیمی را نجاری ساخت که از شهر دیگری آمده بود. هیچ کس نمی‌داند که چرا مدرسه این قدر دور از بازار ساخته شده است. ",
            "lo",
            "ບ້ານຕັ້ງຢູ່ແຄມແມ່ນ້ຳລຸ່ມເນີນພູທາງທິດເໜືອ ໂຮງສີເກົ່າສ້າງຂຶ້ນໂດຍຊ່າງໄມ້ຜູ້ມາຈາກເມືອງອື່ນ ຫໍສະໝຸດເກັບຮັກສາແຜນທີ່ໄວ້ຢ່າງດີ ",
            "am",
            "መንደሩ በሰሜን ኮረብታዎች ስር በወንዝ ዳርቻ ይገኛል። አሮጌው ወፍጮ ከሌላ ከተማ በመጣ አናጢ ተሠራ። ቤተ መጻሕፍቱ የድሮ ካርታዎችን ይጠብቃል። ",
            "zh",
            "流经山谷的这条河流三百多年来一直被镇上的磨坊使用，许多居民仍然记得旧水车的声音。今天住在那里的大多数人都在城里工作，很晚才回家。没有人知道为什么教堂建在离市场那么远的地方。春天的时候，孩子们会在河边放风筝。老师告诉我们，图书馆里有一本关于这座桥的书，但是它已经被借走了。如果明天不下雨，我们打算坐火车去看望住在北方的祖父母。");

    @Test
    void textsOfOneLanguageAreSure() {
        TEXTS.forEach((code, text) -> {
            LanguageGuess guess = LanguageGuess.of(Collections.nCopies(12, text));
            assertThat(guess.code()).isEqualTo(code);
            assertThat(guess.isSure()).as(guess.toString()).isTrue();
        });
    }

    /** Each piece is sure, and all of them together are not. */
    @Test
    void textsOfTwoLanguagesAreNot() {
        List<String> texts = new ArrayList<>(Collections.nCopies(12, TEXTS.get("en")));
        texts.addAll(Collections.nCopies(12, TEXTS.get("de")));
        LanguageGuess guess = LanguageGuess.of(texts);
        assertThat(guess.isSure()).as(guess.toString()).isFalse();
        assertThat(guess.confidence()).isBetween(0.2, 0.8);
    }

    @Test
    void fewLettersAndInventedWordsAreNot() {
        assertThat(LanguageGuess.of(List.of("A river."))).isEqualTo(new LanguageGuess("", 0));
        assertThat(LanguageGuess.of(List.of())).isEqualTo(new LanguageGuess("", 0));
        assertThat(LanguageGuess.of(List.of("bako dilu femo gane hiru kobu lafe ".repeat(20)))
                        .isSure())
                .isFalse();
    }
}
