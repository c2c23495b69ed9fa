package io.posbias.data.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.SharedData;
import io.posbias.base.json.Json;
import io.posbias.base.process.Sessions;
import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class QedConverterTest {
    @TempDir
    Path temp;

    private final List<String> notes = new ArrayList<>();

    private Dataset build(Path input) {
        return Converter.build(
                temp.resolve("qed"),
                false,
                new QedConverter(List.of(input), DatasetCard.named("qed")),
                notes::add,
                Sessions.shared());
    }

    private Path file(String... lines) throws IOException {
        return Files.writeString(temp.resolve("qed.jsonlines"), String.join("\n", lines));
    }

    /** The musical clef is one code point and two UTF-16 units; the second example has no answer of QED's own. */
    @Test
    void theFirstOriginalAnswerIsTheEvidence() throws IOException {
        Dataset dataset = build(file("""
                {"example_id": -7, "question_text": "who sings", "paragraph_text": "\uD834\uDD1E Ann sings . Bob plays .", \
                "original_nq_answers": [[{"start": 2, "end": 5, "string": "Ann"}, {"start": 14, "end": 17, "string": "Bob"}],\
                 [{"start": 14, "end": 17, "string": "Bob"}]], "annotation": {"answer": []}}""", """
                {"example_id": 8, "question_text": "who plays", "paragraph_text": "\uD834\uDD1E Ann sings . Bob plays .", \
                "original_nq_answers": [[], [{"start": 14, "end": 17, "string": "Bob"}]]}"""));
        assertThat(dataset.passages().size()).isEqualTo(1);
        assertThat(dataset.queries()).extracting(Query::id).containsExactly("-7", "8");
        assertThat(dataset.queries())
                .extracting(query -> Objects.requireNonNull(query.evidence()).start())
                .containsExactly(2, 14);
        assertThat(notes).isEmpty();
    }

    @Test
    void anAnswerThatTheParagraphDoesNotHaveThereIsRefused() throws IOException {
        Path input = file("""
                {"example_id": 1, "question_text": "who", "paragraph_text": "Ann sings", \
                "original_nq_answers": [[{"start": 1, "end": 4, "string": "Ann"}]]}""");
        assertThatThrownBy(() -> build(input))
                .hasMessageContainingAll(input + ":1:", "\"original_nq_answers.0.0.string\"", "\"Ann\"", "[1, 4)");
    }

    /** Counts of open-benchmarks.csv, and every span against the file, read here once more without the converter. */
    @Test
    void theRealFileIsReadWhole() throws IOException {
        Path input = SharedData.file("spans/qed-dev.jsonlines");
        Dataset dataset = build(input);
        assertThat(dataset.passages().size()).isEqualTo(1343);
        assertThat(dataset.judgedQueries()).hasSize(1355);
        Map<Integer, String> texts = new HashMap<>();
        dataset.passages().inFileOrder((ordinal, passage) -> texts.put(ordinal, passage.text()));
        Map<String, String> answers = new HashMap<>();
        for (String line : Files.readAllLines(input)) {
            JsonNode example = Json.mapper().readTree(line);
            answers.put(
                    example.get("example_id").asString(),
                    example.get("original_nq_answers")
                            .get(0)
                            .get(0)
                            .get("string")
                            .asString());
        }
        for (Query query : dataset.queries()) {
            Evidence evidence = Objects.requireNonNull(query.evidence());
            int passage = Objects.requireNonNull(dataset.qrels().of(query.id())).relevantPassages()[0];
            String text = Objects.requireNonNull(texts.get(passage));
            assertThat(Objects.requireNonNull(evidence.span()).of(text)).isEqualTo(answers.get(query.id()));
        }
    }

    /** PolicyQA has SQuAD's format: its counts by open-benchmarks.csv, and no answer that reads otherwise. */
    @Test
    void policyQaIsSquadsFormat() {
        Path input = SharedData.file("spans/policyqa-dev.json");
        Dataset dataset = Converter.build(
                temp.resolve("policyqa"),
                false,
                new SquadConverter(
                        List.of(input), DatasetCard.named("policyqa").with(DatasetCard.Field.LANGUAGE, "en")),
                notes::add,
                Sessions.shared());
        assertThat(dataset.passages().size()).isEqualTo(574);
        assertThat(dataset.judgedQueries()).hasSize(3809);
        assertThat(notes).isEmpty();
    }
}
