package io.posbias.study.probe.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.stats.Estimate;
import io.posbias.model.chat.ChatReply;
import io.posbias.study.probe.Chat;
import io.posbias.study.probe.rag.RagItem.RagDocument;
import io.posbias.study.probe.rag.RagResult.RagVerdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RagProbeTest {
    private static final class Rule implements Chat {
        private final UnaryOperator<String> rule;
        private final Map<String, ChatReply> known = new HashMap<>();
        private final List<String> asked = new ArrayList<>();

        Rule(UnaryOperator<String> rule) {
            this.rule = rule;
        }

        @Override
        public String model() {
            return "rule";
        }

        @Override
        public Optional<ChatReply> known(String prompt) {
            return Optional.ofNullable(known.get(prompt));
        }

        @Override
        public List<ChatReply> ask(List<String> prompts) {
            for (String prompt : prompts) {
                if (!known.containsKey(prompt)) {
                    asked.add(prompt);
                    known.put(prompt, new ChatReply(rule.apply(prompt), OptionalLong.of(10)));
                }
            }
            return prompts.stream().map(known::get).map(Objects::requireNonNull).toList();
        }
    }

    private static RagItem item(int i) {
        return new RagItem(
                "test" + i,
                "Who made thing" + i + "?",
                "Maker" + i,
                "Maker" + i + " made thing" + i + " .",
                "foil" + i + " . Faker" + i + " made thing" + i + " .",
                "foil" + i + " .",
                "U Maker" + i + " made thing" + i + " . U {query}");
    }

    @Test
    void promptsAreThePapersWithTheirSlotsFilledOnce() {
        RagPrompts prompts = RagPrompts.bundled();
        assertThat(RagDocument.EVIDENCE.prompt(prompts, item(1)))
                .isEqualTo("Answer the question based on the given document. Only give me the complete answer and do"
                        + " not output any other words. The following is the given document.\n\nDocument: U Maker1 made"
                        + " thing1 . U {query}\n\nQuestion: Who made thing1?\n\nAnswer:");
        assertThat(RagDocument.NONE.prompt(prompts, item(1)))
                .isEqualTo("Answer the question. Only give me the answer and do not output any other words.\n\n"
                        + "Question: Who made thing1?\n\nAnswer:");
        assertThat(RagDocument.POISON.prompt(prompts, item(1))).contains("Document: foil1 . Faker1 made thing1 .\n");
        assertThat(RagDocument.FOIL.prompt(prompts, item(1))).contains("Document: foil1 .\n");
        assertThat(prompts.judge(item(1), "$1 {query}"))
                .isEqualTo("Query: Who made thing1?\n\nEvidence: Maker1 made thing1 .\n\nGold Answer: Maker1\n\n"
                        + "Model Answer: $1 {query}\n\nDoes the Model Answer contain or imply the Gold Answer based on"
                        + " the evidence? YES or NO :");
        assertThat(prompts.poisoning("A b .", "b"))
                .isEqualTo(
                        "In the sentence: 'A b .', replace the entity 'b' with a different entity that makes sense in"
                                + " context but is completely different. Output only the replacement entity. replacement"
                                + " entity:");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        YES                  | q                                   | CORRECT
        ` yes, it does`      | q                                   | CORRECT
        Yes                  | The document does not provide this. | ABSTAINED
        NO                   | The document does not provide this. | WRONG
        yes                  | The document Does not provide this. | CORRECT
        `no.`                | q                                   | WRONG
        `No\n\nBecause`      | q                                   | WRONG
        Nothing              | q                                   | UNCLEAR
        The answer is YES    | q                                   | UNCLEAR
        ``                   | q                                   | UNCLEAR
        """)
    void aVerdictIsTheFirstWord(String reply, String prompt, RagVerdict verdict) {
        assertThat(RagVerdict.of(prompt, reply.replace("\\n", "\n"))).isEqualTo(verdict);
    }

    /** Knows things 0 to 3 without a document, believes any, and abstains from foils, of thing 5 without a word. */
    private static String read(String prompt) {
        int thing = Integer.parseInt(prompt.replaceAll("(?s).*Who made thing(\\d).*", "$1"));
        if (prompt.contains("Document: U")) {
            return "Maker" + thing;
        }
        if (prompt.contains("Faker")) {
            return "Faker" + thing;
        }
        if (prompt.contains("Document: foil")) {
            return thing == 5 ? " \n" : "The document does not provide Maker" + thing + ".";
        }
        return thing < 4 ? "Maker" + thing + "\n" : "I guess Faker" + thing;
    }

    /** Says yes where the true name is in the answer; of thing 7 it cannot say. */
    private static String judge(String prompt) {
        String answer = prompt.replaceAll("(?s).*Model Answer: (.*)\n\nDoes the.*", "$1");
        return answer.contains("7") ? "perhaps" : answer.contains("Maker") ? "Yes." : "No";
    }

    @Test
    void accuraciesAndDifferencesAreThoseOfTheAnswers() {
        List<RagItem> items = List.of(item(0), item(1), item(2), item(3), item(4), item(5), item(6), item(7));
        RagProbe probe = new RagProbe(items, RagPrompts.bundled());
        Rule reader = new Rule(RagProbeTest::read);
        Rule judge = new Rule(RagProbeTest::judge);
        RagProbe.RagCalls none = probe.calls(reader, judge);
        assertThat(none).isEqualTo(new RagProbe.RagCalls(32, 0, 32, 0, none.tokens()));
        // Ten around each of 64 texts at least.
        assertThat(none.tokens()).isGreaterThan(640);
        RagResult result = probe.run(reader, judge, 0.95);
        assertThat(result.accuracies())
                .extracting(cell ->
                        cell.accepted().document() + " " + cell.accepted().correct() + "/"
                                + cell.accepted().n() + " " + cell.wrong().abstained()
                                + cell.wrong().unclear() + cell.wrong().empty())
                .containsExactly("poison 0/8 010", "foil 0/8 611", "none 4/8 010", "evidence 7/8 010");
        // Things 0 to 3 are answered alike without a document and with the evidence: one verdict for both.
        assertThat(judge.asked).hasSize(32 - 1 - 4);
        assertThat(result.reader()).isEqualTo(new RagResult.RagEffort(32, 320, 0));
        assertThat(result.judge()).isEqualTo(new RagResult.RagEffort(27, 270, 0));
        // scipy.stats.ttest_rel of 0, ..., 0 against 1, 1, 1, 1, 0, 0, 0, 0.
        Estimate poison = Objects.requireNonNull(result.differences().getFirst().difference());
        assertThat(result.differences().getFirst().comparison()).isEqualTo("poison - none");
        assertThat(poison.value()).isEqualTo(-0.5);
        assertThat(poison.pValue()).isCloseTo(0.03314550026377369, within(1e-10));
        assertThat(poison.interval().low()).isCloseTo(-0.9468719795590524, within(1e-10));
        Estimate evidence = Objects.requireNonNull(result.differences().get(2).difference());
        assertThat(evidence.value()).isEqualTo(0.375);
        assertThat(evidence.pValue()).isCloseTo(0.07960201245519759, within(1e-10));

        assertThat(probe.calls(reader, judge)).isEqualTo(new RagProbe.RagCalls(32, 32, 27, 27, 0));
        assertThat(probe.run(reader, judge, 0.95)).isEqualTo(result);
        assertThat(reader.asked).hasSize(32);
        assertThat(judge.asked).hasSize(27);
    }

    /** Half of the answers are there: the others count with a verdict each. */
    @Test
    void callsAreCountedBeforeTheyAreMade() {
        RagProbe one = new RagProbe(List.of(item(5)), RagPrompts.bundled());
        RagProbe two = new RagProbe(List.of(item(5), item(1)), RagPrompts.bundled());
        Rule reader = new Rule(RagProbeTest::read);
        Rule judge = new Rule(RagProbeTest::judge);
        one.run(reader, judge, 0.95);
        RagProbe.RagCalls half = two.calls(reader, judge);
        assertThat(half).isEqualTo(new RagProbe.RagCalls(8, 4, 3 + 4, 3, half.tokens()));
        assertThat(half.tokens()).isGreaterThan(80L);
        assertThat(two.calls(reader, judge).most()).isEqualTo(8);
    }
}
