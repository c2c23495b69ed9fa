package io.posbias.data.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.process.Sessions;
import io.posbias.base.process.UsageException;
import io.posbias.data.convert.QuestionRow.Answer;
import io.posbias.data.dataset.RowFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows with question, answer and context under the names that people give them. */
class QuestionRowTest {
    @TempDir
    Path temp;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(temp.resolve(name), text);
    }

    private static List<QuestionRow> rows(Path file) {
        List<QuestionRow> rows = new ArrayList<>();
        QuestionRow.forEach(RowFile.table(file, Integer.MAX_VALUE), rows::add);
        return rows;
    }

    /** The text has a tab, quotes and a line break. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a.jsonl|{\"question\":\"Who?\",\"answer\":\"\\\"Ann\\\"\",\"context\":\"By \\\"Ann\\\"\\n\\there.\"}",
                "b.jsonl|{\"Query\":\"Who?\",\"ANSWERS\":[\"\\\"Ann\\\"\"],\"passage\":\"By \\\"Ann\\\"\\n\\there.\",\"title\":null}",
                "c.jsonl|{\"question\":\"Who?\",\"answers\":{\"text\":\"\\\"Ann\\\"\"},\"text\":\"By \\\"Ann\\\"\\n\\there.\"}",
                "f.json|{\"question\":{\"0\":\"Who?\"},\"answer\":{\"0\":\"\\\"Ann\\\"\"},\"context\":{\"0\":\"By \\\"Ann\\\"\\n\\there.\"}}",
                "g.json|{\"columns\":[\"question\",\"answer\",\"context\"],\"index\":[0],\"data\":[[\"Who?\",\"\\\"Ann\\\"\",\"By \\\"Ann\\\"\\n\\there.\"]]}",
                "h.json|[{\"question\":[\"Who?\"],\"answer\":[\"\\\"Ann\\\"\"],\"context\":[\"By \\\"Ann\\\"\\n\\there.\"]}]",
                "i.json|{\"features\":[],\"rows\":[{\"row_idx\":0,\"row\":{\"question\":\"Who?\",\"answer\":\"\\\"Ann\\\"\",\"context\":\"By \\\"Ann\\\"\\n\\there.\"}}]}",
                "j.jsonl|[{\"question\":\"Who?\",\"answers\":[\"\\\"Ann\\\"\"],\"positive_ctxs\":[{\"title\":\"t\",\"text\":\"By \\\"Ann\\\"\\n\\there.\"}]}]",
                "k.csv|question,answers,context\\nWho?,\"{'text': array(['\"\"Ann\"\"'], dtype=object), 'answer_start': array([], dtype=int32)}\",\"By \"\"Ann\"\"\\n\\there.\"",
                "d.csv|question,answer,context\\nWho?,\"\"\"Ann\"\"\",\"By \"\"Ann\"\"\\n\\there.\"",
                "e.tsv|answer\\tcontext\\tquestion\\n\"\"\"Ann\"\"\"\\t\"By \"\"Ann\"\"\\n\\there.\"\\tWho?\\n\\n",
            })
    void fieldsHaveOneOfSeveralNamesAndShapes(String name, String text) throws IOException {
        boolean isJson = name.contains(".json");
        Path file = file(name, isJson ? text : text.replace("\\n", "\n").replace("\\t", "\t"));
        assertThat(QuestionRow.isIn(RowFile.table(file, 1).first(1))).isTrue();
        assertThat(new OwnData(file, Reading.of("")).form()).isEqualTo(OwnData.Form.QUESTIONS);
        QuestionRow row = rows(file).getFirst();
        assertThat(rows(file)).hasSize(1);
        assertThat(row.id()).isEqualTo("row1");
        assertThat(row.question()).isEqualTo("Who?");
        assertThat(row.answers()).containsExactly(new Answer("\"Ann\"", null));
        assertThat(row.context()).isEqualTo("By \"Ann\"\n\there.");
    }

    @Test
    void tabSeparatedCellsThatOnlyBeginWithAQuoteAreNotQuoted() throws IOException {
        Path file = file("a.tsv", "id\tquestion\tanswer\tcontext\n7\tWho?\tAnn\t\"By\" Ann.\n8\tWhat?\t\tNone.\n");
        assertThat(rows(file)).extracting(QuestionRow::context).containsExactly("\"By\" Ann.", "None.");
        assertThat(rows(file)).extracting(QuestionRow::id).containsExactly("7", "8");
    }

    @Test
    void answersHaveOffsetsOrNone() throws IOException {
        Path file = file("a.jsonl", """
                {"question": "a", "context": "c", "answer": "x", "answer_start": 3}
                {"question": "a", "context": "c", "answers": [{"text": "x", "answer_start": 4}, {"text": "y"}]}
                {"question": "a", "context": "c", "answers": {"text": ["x", "y"], "answer_start": [5]}}
                {"question": "a", "context": "c", "answer": 1945}
                {"question": "a", "context": "c", "answer": null}
                {"question": "a", "context": "c"}
                """);
        assertThat(rows(file))
                .extracting(QuestionRow::answers)
                .containsExactly(
                        List.of(new Answer("x", 3)),
                        List.of(new Answer("x", 4), new Answer("y", null)),
                        List.of(new Answer("x", 5), new Answer("y", null)),
                        List.of(new Answer("1945", null)),
                        List.of(),
                        List.of());
        assertThat(rows(file).getLast().id()).isEqualTo("row6");
    }

    @Test
    void aRowThatIsWrongIsNamed() throws IOException {
        for (String row : List.of(
                "{\"question\": \"a\", \"answer\": \"b\"}",
                "{\"context\": \"a\", \"answer\": \"b\"}",
                "{\"question\": \"a\", \"context\": \"c\", \"answer\": 1.5}",
                "{\"question\": \"a\", \"context\": \"c\", \"answers\": [1]}")) {
            Path file = file("a.jsonl", "{\"question\": \"a\", \"context\": \"c\", \"answer\": \"c\"}\n" + row);
            assertThatThrownBy(() -> rows(file))
                    .isInstanceOf(BadInputException.class)
                    .hasMessageContaining("a.jsonl:2: field ");
        }
    }

    @Test
    void csvIsABenchmarkAndOtherColumnsAreNamedWithThoseThatAreNeeded() throws IOException {
        Path rows = file("own.csv", "question,answer,context\nWho?,Ann,By Ann.\nWhen?,1945,In 1945.\n");
        Path json = file("own.jsonl", """
                {"question": "Who?", "answer": "Ann", "context": "By Ann."}
                {"question": "When?", "answer": "1945", "context": "In 1945."}
                """);
        Path folder = new OwnData(rows, Reading.of("en")).converted(Sessions.in(temp.resolve("home")));
        assertThat(folder.resolve("queries.jsonl"))
                .hasSameBinaryContentAs(new OwnData(json, Reading.of("en"))
                        .converted(Sessions.in(temp.resolve("home")))
                        .resolve("queries.jsonl"));
        assertThat(folder.getFileName().toString()).startsWith("own-");
        for (String name : List.of("a.csv", "a.tsv")) {
            char separator = name.endsWith("csv") ? ',' : '\t';
            Path other = file(name, "question,reply,context\nWho?,Ann,By Ann.\n".replace(',', separator));
            assertThatThrownBy(new OwnData(other, Reading.of(""))::form)
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("question, reply, context")
                    .hasMessageContaining("answer");
        }
    }
}
