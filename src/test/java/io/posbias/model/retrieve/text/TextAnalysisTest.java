package io.posbias.model.retrieve.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Session;
import io.posbias.base.process.Shutdown;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Span;
import io.posbias.fetch.jars.PinnedJars;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextAnalysisTest {
    @TempDir
    private Path home;

    private final List<String> said = new ArrayList<>();
    private Session session;

    @BeforeEach
    void offline() {
        session = new Session(
                Map.of("POSBIAS_HOME", home.toString(), "HF_HUB_OFFLINE", "1"),
                home,
                System::nanoTime,
                Progress.NONE,
                said::add,
                new Shutdown());
    }

    private List<String> terms(String analyzer, String language, String text) {
        DatasetCard card = DatasetCard.named("texts").with(DatasetCard.Field.LANGUAGE, language);
        try (Analyzer opened = new TextAnalysis(analyzer, Optional.empty(), "porter2").open(card, session)) {
            return Terms.of(text, opened);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "auto, pl, stempel, Domy stoją przy ulicach, stać",
        "auto, uk, morfologik, Будинки стоять на вулицях, вулиця",
        "auto, sw, icu, Nyumba iko mtaani, mtaani",
        "auto, lo, icu, ນີ້ແມ່ນປຶ້ມ, ປຶ້ມ",
        "auto, km, icu, នេះជាសៀវភៅ, សៀវភៅ",
        "auto, my, icu, သူကအိမ်ပါ, အိမ်",
        "language, he, icu, הבית עומד ברחוב, ברחוב",
        "kuromoji, ja, kuromoji, 彼は先生です, 先生",
        "nori, ko, nori, 그는 학교에 갔다, 학교",
        "smartcn, zh, smartcn, 他是老师, 老师",
        "icu, de, icu, Straße und Haus, haus"
    })
    void everyLanguageHasAnAnalyzer(String analyzer, String language, String jars, String text, String term)
            throws IOException {
        PinnedJars.keep(home, jars);
        assertThat(terms(analyzer, language, text)).contains(term);
        terms(analyzer, language, text);
        assertThat(said).hasSize(analyzer.equals(TextAnalysis.AUTO) || analyzer.equals("language") ? 1 : 0);
        assertThat(said)
                .allSatisfy(note -> assertThat(note).startsWith("note: ").contains(jars));
    }

    /** Without a network. */
    @Test
    void aMissingLibraryIsANoteUnlessARecipeNamesIt() {
        for (int i = 0; i < 2; i++) {
            assertThat(terms("auto", "pl", "Domy stoją przy ulicach"))
                    .containsExactly("domy", "stoją", "przy", "ulicach");
            assertThat(terms("auto", "lo", "ນີ້ ແມ່ນ")).hasSize(2);
        }
        assertThat(said)
                .hasSize(2)
                .allSatisfy(note -> assertThat(note).startsWith("note: ").contains("offline".toUpperCase(Locale.ROOT)));
        assertThatThrownBy(() -> terms("kuromoji", "ja", "先生")).isInstanceOf(PosbiasException.class);
    }

    @Test
    void bundledAnalyzersNeedNothing() {
        for (String language : List.of("en", "de", "zh", "ja", "ko", "th", "hi", "hy", "ta")) {
            assertThat(terms("auto", language, "Haus 先生 집 บ้าน घर տուն வீடு")).isNotEmpty();
        }
        assertThat(said).isEmpty();
    }

    private List<String> words(String language, String text) {
        return UnspacedWords.of(language, session).orElseThrow().cut().apply(text).stream()
                .map((Span span) -> span.of(text))
                .toList();
    }

    @Test
    void wordsWithoutSpacesAreOfADictionary() throws IOException {
        assertThat(words("th", "นี่คือหนังสือ เขาเป็นครู"))
                .containsExactly("นี่", "คือ", "หนังสือ", "เขา", "เป็น", "ครู");
        assertThat(words("bo", "ཁྱི་འདི་དཀར་པོ་རེད།")).hasSize(5);
        PinnedJars.keep(home, "icu");
        assertThat(words("zh", "他是老师，住在北京。")).contains("老师", "北京");
        assertThat(words("km", "នេះជាសៀវភៅ។")).containsExactly("នេះ", "ជា", "សៀវភៅ");
        assertThat(UnspacedWords.of("hi", session)).isEmpty();
        assertThat(UnspacedWords.of("ko", session)).isEmpty();
    }
}
