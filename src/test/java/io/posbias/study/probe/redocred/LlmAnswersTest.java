package io.posbias.study.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.posbias.model.chat.ChatReply;
import io.posbias.study.probe.Chat;
import io.posbias.study.probe.rag.RagPrompts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LlmAnswersTest {
    private static final Article DONOR =
            Article.of("Donor", "{0:ORG:Acme} one", "two", "three", "four").label("P571", 0, 0, 3);

    /** Born in London, or in England as another article has it. */
    private static QueryPool pool() {
        return Article.pool(
                Article.of("Ada", "{0:PER:Ada} was born in {1:LOC:New_London} .", "{0:PER:Ada} wrote .")
                        .label("P19", 0, 1, 0),
                Article.of("Again", "{0:PER:Ada} came from {1:LOC:England} .").label("P19", 0, 1, 0),
                DONOR);
    }

    private record Says(String reply, List<String> asked) implements Chat {
        @Override
        public String model() {
            return "gpt";
        }

        @Override
        public Optional<ChatReply> known(String prompt) {
            return Optional.empty();
        }

        @Override
        public List<ChatReply> ask(List<String> prompts) {
            asked.addAll(prompts);
            return prompts.stream()
                    .map(prompt -> new ChatReply(reply, OptionalLong.empty()))
                    .toList();
        }
    }

    private static ProbeSample poison(String reply, List<String> asked) {
        QueryPool pool = pool();
        return ProbeSample.draw(PoisonProbe.TYPE, RedocredProbes.poison(pool, new Says(reply, asked)), pool, 250, 0);
    }

    @Test
    void theModelIsAskedOnceForEachQueryAndItsWordIsPutIn() {
        List<String> asked = new ArrayList<>();
        ProbeSample sample = poison(" Paris\n", asked);
        assertThat(asked).containsExactly(RagPrompts.bundled().poisoning("Ada was born in New London .", "New London"));
        assertThat(sample.records()).hasSize(1);
        Map<String, Object> record = Article.fields(sample.records().getFirst().getFirst());
        assertThat(record)
                .containsEntry("text2", "\" Ada \" \" Ada \" Ada wrote . Ada was born in Paris .")
                .containsEntry("evidence", "Ada was born in New London .");
        assertThat(String.valueOf(record.get("tags"))).contains("poison=Paris, poison_by=llm gpt");
        assertThat(sample.details())
                .isEqualTo(
                        new WrongAnswers.Details("llm gpt", RagPrompts.bundled().sha256(), Map.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "Paris"       | Paris
        'Paris'       | Paris
        “Paris”       | Paris
        ` Le   Havre `| Le Havre
        O'Brien's     | O'Brien's
        """)
    void quotesAndSpacesAroundANameGo(String reply, String name) {
        ProbeRecord record =
                poison(reply, new ArrayList<>()).records().getFirst().getFirst();
        assertThat(record.tags()).containsEntry("poison", name);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ` \n `                                               | empty
        New London                                           | a true answer
        the new london area                                  | a true answer
        London                                               | a true answer
        Ada                                                  | a true answer
        England                                              | a true answer
        `Paris\nor Rome`                                     | no short name
        one two three four five six seven eight nine ten eleven twelve thirteen | no short name
        "..."                                                | no short name
        """)
    void whatIsNoWrongNameIsLeftOutAndCounted(String reply, String reason) {
        ProbeSample sample = poison(reply.replace("\\n", "\n"), new ArrayList<>());
        assertThat(sample.records()).isEmpty();
        assertThat(Objects.requireNonNull(sample.details()).proposalsLeftOut()).containsExactly(entry(reason, 1));
        assertThat(sample.line()).contains("; 1 left out ").endsWith(": 1 " + reason);
    }

    @Test
    void nobodyIsAskedAboutEvidenceThatCannotBePoisoned() {
        QueryPool pool = Article.pool(
                Article.of("Ada", "{0:PER:Ada} was born there .", "{0:PER:Ada} wrote .", "{1:LOC:London} .")
                        .label("P19", 0, 1, 0),
                DONOR);
        List<String> asked = new ArrayList<>();
        Probe poison = RedocredProbes.poison(pool, new Says("Paris", asked));
        assertThat(ProbeSample.draw(PoisonProbe.TYPE, poison, pool, 250, 0).records())
                .isEmpty();
        assertThat(asked).isEmpty();
    }
}
