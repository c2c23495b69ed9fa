package io.posbias.study.probe.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replies beside torchmetrics' SQuAD: scripts/tests/answers_golden.py. */
class AnswerMatchTest {
    @Test
    void exactMatchAndF1EqualTorchmetrics() {
        List<Fields> golden =
                Json.readJson(Path.of("src/test/resources/answers.json")).records("matches");
        assertThat(golden).hasSize(20);
        for (Fields row : golden) {
            AnswerMatch match = AnswerMatch.of(row.text("reply"), row.texts("answers"), "en");
            assertThat(match.exact()).as(row.text("reply")).isEqualTo(row.flag("exact"));
            // Its F1 has single precision.
            assertThat(match.f1()).as(row.text("reply")).isCloseTo(row.number("f1"), within(1e-6));
        }
    }

    @Test
    void aReplyHoldsWordsAndNotLetters() {
        assertThat(AnswerMatch.of("It was in July, 2015.", List.of("July 2015"), "en")
                        .holds())
                .isTrue();
        assertThat(AnswerMatch.of("It was in 2015.", List.of("July 2015"), "en").holds())
                .isFalse();
        assertThat(AnswerMatch.of("13082", List.of("308"), "en").holds()).isFalse();
        assertThat(AnswerMatch.of("anything", List.of("the"), "en").holds()).isFalse();
        assertThat(AnswerMatch.of("2015, July", List.of("July 2015"), "en").holds())
                .isFalse();
        assertThat(AnswerMatch.of("in 2015", List.of("July 2015", "2015"), "en").holds())
                .isTrue();
    }

    /** Articles are removed in English alone; a Chinese character is a word. */
    @Test
    void otherLanguages() {
        assertThat(AnswerMatch.words("An der Elbe, «a»", "de")).containsExactly("an", "der", "elbe", "a");
        assertThat(AnswerMatch.words("在2015年。", "zh")).containsExactly("在", "2015", "年");
        assertThat(AnswerMatch.of("2015年", List.of("2015"), "zh").f1()).isCloseTo(2.0 / 3, within(1e-12));
    }
}
