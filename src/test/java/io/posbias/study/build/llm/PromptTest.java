package io.posbias.study.build.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Configs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromptTest {
    @TempDir
    Path folder;

    private Path prompt(String template) throws IOException {
        return Files.writeString(folder.resolve("mine.yaml"), "name: mine\ntemplate: |\n  " + template + "\n");
    }

    @Test
    void theJarHoldsThePromptsOfAllSteps() {
        assertThat(Configs.names("configs/prompts"))
                .containsExactly(
                        "audit",
                        "query-configuration",
                        "query-segment",
                        "question-segment",
                        "question-sentence",
                        "questions-part",
                        "questions-third",
                        "rating",
                        "reference",
                        "refusal",
                        "relevance",
                        "summary",
                        "translation");
    }

    /** Slots are what the model is told besides the task: one that is missing makes a prompt that asks about nothing. */
    @ParameterizedTest
    @CsvSource({
        "summary, document most_words",
        "questions-part, part summary",
        "questions-third, document third",
        "query-configuration, document personas",
        "query-segment, difficulty document length part persona",
        "question-segment, part",
        "question-sentence, part",
        "reference, answer document question",
        "relevance, passage question",
        "audit, passage question",
        "translation, language text"
    })
    void eachHasItsSlotsAndSaysWhoseStepItIs(String name, String slots) {
        List<String> all = List.of(slots.split(" ", -1));
        Prompt prompt = Prompt.find(name);
        prompt.allow(all);
        for (String slot : all) {
            assertThat(prompt.template()).contains("{" + slot + "}");
        }
        assertThat(prompt.name()).isEqualTo(name);
        String file = new String(Configs.read("configs/prompts/" + name + ".yaml"), StandardCharsets.UTF_8);
        assertThat(file)
                .containsPattern("arXiv:2[56]\\d\\d\\.\\d{5}")
                .containsPattern("wording\\s+is\\s+posbias's\\s+own");
    }

    @Test
    void whatIsInADocumentIsNoSlot() throws IOException {
        Prompt prompt = Prompt.find(prompt("{question} / {document}").toString());
        assertThat(prompt.fill(Map.of("document", "a {question} for $1 \\ {", "question", "{document}?")))
                .isEqualTo("{document}? / a {question} for $1 \\ {\n");
    }

    @Test
    void aSlotThatNothingFillsIsRefused() throws IOException {
        String file = prompt("{document} {questoin}").toString();
        assertThatThrownBy(() -> Prompt.find(file).allow(List.of("document", "question")))
                .isInstanceOf(BadInputException.class)
                .hasMessageContainingAll("{questoin}", "{document}, {question}");
    }
}
