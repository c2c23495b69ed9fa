package io.posbias.study.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.data.dataset.DatasetStatistics;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.text.TextSentences;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentsTest {
    private static List<String> sentences(String text, String language) {
        return TextSentences.of(text, language).stream()
                .map(span -> span.of(text))
                .toList();
    }

    @Test
    void thirdsOfElevenHaveThreeThreeAndFive() {
        assertThat(Segments.equal(11, 3)).containsExactly(new Span(0, 3), new Span(3, 6), new Span(6, 11));
        assertThat(Segments.equal(2, 3)).isEmpty();
        assertThat(Segments.equal(7, 1)).containsExactly(new Span(0, 7));
    }

    /** Lengths in words: 2, 2, 6, 2 of 12; thirds end at 4 and 8, and 8 is as near to 4 as to 10 as can be: 10. */
    @Test
    void bordersAreTheSentencesNearestToTheShare() {
        String text = "One two. Three four. A b c d e f. Last two.";
        List<Span> parts = Segments.bySentences(text, "en", 3, DatasetStatistics::words);
        assertThat(parts.stream().map(part -> Segments.textOf(part, text)))
                .containsExactly("One two. Three four. ", "A b c d e f. ", "Last two.");
    }

    /** One sentence has nearly all words: each part gets one all the same. */
    @Test
    void noPartIsEmpty() {
        String text = "A b c d e f g h i j k l m n. Two. Three.";
        assertThat(Segments.bySentences(text, "en", 3, DatasetStatistics::words).stream()
                        .map(part -> Segments.textOf(part, text)))
                .containsExactly("A b c d e f g h i j k l m n. ", "Two. ", "Three.");
        assertThat(Segments.bySentences("Only one. Two.", "en", 3, DatasetStatistics::words))
                .isEmpty();
    }

    @Test
    void partsAreCodePoints() {
        String text = "  𝒜𝒜 one. 𝒜 two.";
        assertThat(Segments.bySentences(text, "en", 2, String::length))
                .containsExactly(new Span(0, 10), new Span(10, 16));
        assertThat(Segments.textOf(new Span(10, 16), text)).isEqualTo("𝒜 two.");
        String chinese = "猫在这里。狗在那里。鸟飞走了。";
        assertThat(Segments.bySentences(chinese, "zh", 3, String::length))
                .containsExactly(new Span(0, 5), new Span(5, 10), new Span(10, 15));
    }

    @Test
    void blankLinesEndSentencesLineBreaksAndAbbreviationsDoNot() {
        assertThat(sentences("A HEADING\r\n\r\nDr. Smith et al. (2003) saw\r\nit. See Fig. 2 by J. Doe.\n \nEnd", "en"))
                .containsExactly("A HEADING", "Dr. Smith et al. (2003) saw\r\nit.", "See Fig. 2 by J. Doe.", "End");
        assertThat(sentences(" \n\n ", "en")).isEmpty();
    }

    @Test
    void aUnitIsWordsCharactersOrTokens() {
        assertThat(unit("words").toString()).isEqualTo("words");
        assertThatThrownBy(() -> unit("tokens:")).hasMessageEndingWith("it is words, characters or tokens:NAME");
    }

    @Test
    void aUnitWithoutSentencesIsRefused() {
        assertThatThrownBy(() -> segments(Map.of("unit", "words"))).hasMessageContaining("borders: sentences");
        assertThat(segments(Map.of("borders", "sentences", "unit", "characters")))
                .isEqualTo(new Segments("sentences", new LengthUnit(LengthUnit.CHARACTERS)));
    }

    /** WordPiece has "embed", "##ding" and "##s" for the first word. */
    @Test
    void tokensAreThoseOfTheModel(@TempDir Path folder) {
        try (StageContext context = Pipelines.context(folder)) {
            assertThat(unit("words").counter(context).applyAsInt("embeddings of  text"))
                    .isEqualTo(4);
            assertThat(unit("characters").counter(context).applyAsInt("𝒜b")).isEqualTo(2);
            LengthUnit tokens = unit("tokens:all-minilm-l6-v2");
            assertThat(tokens.counter(context).applyAsInt("embeddings of text")).isEqualTo(6);
            assertThat(String.valueOf(tokens.inputs(context))).hasSize(64);
            assertThatThrownBy(() -> unit("tokens:bm25").counter(context))
                    .hasMessageContainingAll("tokens:bm25", "no tokenizer");
        }
    }

    private static LengthUnit unit(String word) {
        return LengthUnit.of(word);
    }

    private static Segments segments(Map<String, Object> values) {
        return Json.settings(new Fields(Location.of(Path.of("test.yaml")), Map.copyOf(values)), Segments.class);
    }
}
