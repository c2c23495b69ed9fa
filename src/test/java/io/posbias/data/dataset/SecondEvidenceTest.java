package io.posbias.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.SecondEvidence.Side;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecondEvidenceTest {
    private static SecondEvidence byText(String text, int start, int end, String language) {
        return SecondEvidence.byText(Sentences.of(text, language), new Span(start, end))
                .orElseThrow();
    }

    /** The evidence is all of the first sentence before its full stop. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "owl. An Owl flies.|1",
                "owl. An owlet flies.|0",
                "owl. The barn-owl flies.|1",
                "barn owl. A barn\u00a0owl flies.|0",
                "barn owl. A barn  OWL flies.|1",
                "5. It has 1.5 of them.|0",
                "5. It has 5,000 of them.|0",
                "5. It has 15 of them.|0",
                "5. It has 5.|1",
                "5 km. It is 1.5 km.|0",
                "$5. It costs $5.|1",
                "Łódź. ŁÓDŹ is a city.|1",
                "café. A cafe\u0301 is closed.|0",
                "owl. An owl sees an owl.|2",
            })
    void theTextOfTheEvidenceIsFoundAsWholeWords(String text, int found) {
        String passage = text.replace('\u00a7', ' ');
        assertThat(byText(passage, 0, passage.indexOf(". "), "en").others()).hasSize(found);
    }

    @Test
    void scriptsWithoutSpacesHaveNoBordersOfWords() {
        String chinese = "狐狸住在桥下。大桥下有水。";
        assertThat(byText(chinese, 4, 6, "zh").others()).containsExactly(new Span(8, 10));
        String thai = "แมว. เห็นแมวดำ.";
        assertThat(byText(thai, 0, 3, "th").others()).hasSize(1);
    }

    @Test
    void aRepetitionWithinTheSentencesOfTheEvidenceIsNone() {
        String text = "An owl, an owl! It is late. No bird.";
        assertThat(byText(text, 3, 6, "en").others()).isEmpty();
        // The evidence overlaps two sentences.
        String two = "A red owl. A red fox. The owl? A red cat.";
        SecondEvidence found = byText(two, 6, 12, "en");
        assertThat(found.own()).isEqualTo(new Sentences.Range(0, 2));
        assertThat(found.others()).isEmpty();
        assertThat(found.side()).isEqualTo(Side.NONE);
    }

    @Test
    void anAnswerMayBeShorterThanItsEvidence() {
        Sentences sentences = Sentences.of("The owl sleeps. An owl hunts.", "en");
        assertThat(SecondEvidence.byText(sentences, new Span(0, 15))
                        .orElseThrow()
                        .others())
                .isEmpty();
        assertThat(SecondEvidence.byText(sentences, new Span(0, 15), "owl ")
                        .orElseThrow()
                        .others())
                .containsExactly(new Span(19, 22));
    }

    @Test
    void sidesAreByTheSentencesOfTheEvidence() {
        String text = "One owl. Two owl. Three owl.";
        assertThat(byText(text, 4, 7, "en").side()).isEqualTo(Side.AFTER);
        assertThat(byText(text, 13, 16, "en").side()).isEqualTo(Side.BOTH);
        assertThat(byText(text, 24, 27, "en").side()).isEqualTo(Side.BEFORE);
    }

    /** Sentences of scores 2, 5, 4 and 5; the evidence is in the second, or in the second and third. */
    @ParameterizedTest
    @CsvSource({
        "9, 10, 0, 3",
        "9, 10, 0.5, 3",
        "9, 10, 1, '2,3'",
        "9, 10, 3, '0,2,3'",
        "12, 22, 0, 3",
        "18, 19, 0, '1,3'"
    })
    void sentencesThatScoreAsHighAsTheBestOfTheEvidenceAreFound(int start, int end, double margin, String found) {
        Sentences sentences = Sentences.of("One owl. Two owl. Three owl. Four.", "en");
        List<Span> others = SecondEvidence.byScores(sentences, new Span(start, end), new double[] {2, 5, 4, 5}, margin)
                .orElseThrow()
                .others();
        assertThat(others.stream().map(span -> String.valueOf(sentences.spans().indexOf(span))))
                .containsExactly(found.split(","));
    }

    @Test
    void whiteSpaceIsNoEvidence() {
        assertThat(SecondEvidence.byText(Sentences.of("One. Two.", "en"), new Span(4, 5)))
                .isEmpty();
    }
}
