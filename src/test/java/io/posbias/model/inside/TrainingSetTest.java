package io.posbias.model.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What sets of pairs are read as, and the lines for those that cannot be. */
class TrainingSetTest {
    @TempDir
    Path temp;

    private void write(String name, String content) throws IOException {
        Path file = temp.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private void benchmark(String queries, String qrels) throws IOException {
        write("corpus.jsonl", """
                {"_id":"d1:0-9","title":"T","text":"one two"}
                {"_id":"d1:5-14","text":"two three"}
                {"_id":"d2","text":"four five"}
                """);
        write("queries.jsonl", queries);
        write("qrels/train.tsv", "query-id\tcorpus-id\tscore\n" + qrels);
    }

    @Test
    void aBenchmarkGivesAPairForEachRelevantPassage() throws IOException {
        benchmark("""
                {"_id":"q1","text":"one?","pos_char_span":[0,3],"pos_char_length":7,"excluded_ids":["d2"]}
                {"_id":"q2","text":"two?"}
                """, "q1\td1:0-9\t1\nq2\td1:5-14\t1\nq2\td2\t2\nq2\td1:0-9\t0\n");
        assertThat(TrainingSet.read(temp).pairs())
                .containsExactlyInAnyOrder(
                        // The title comes before the text, also for the end of the evidence.
                        new Pair(
                                "one?",
                                new Pair.Text("T one two", "d1:0-9", "d1"),
                                Set.of("d1:0-9", "d2"),
                                5,
                                List.of()),
                        new Pair(
                                "two?",
                                new Pair.Text("two three", "d1:5-14", "d1"),
                                Set.of("d1:5-14", "d2"),
                                Pair.UNKNOWN,
                                List.of()),
                        new Pair(
                                "two?",
                                new Pair.Text("four five", "d2", "d2"),
                                Set.of("d1:5-14", "d2"),
                                Pair.UNKNOWN,
                                List.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"anchor":"a","positive":"p"}                                                             | 1
            {"query":"a","pos":["p","r"],"neg":[]}                                                    | 2
            {"query_id":"1","query":"a","positive_passages":[{"docid":"d","title":"","text":"p"}]}    | 1
            """)
    void rowsOfTrainersAreRead(String row, int pairs) throws IOException {
        write("m/train.jsonl", row + "\n{\"anchor\":\"other\",\"positive\":\"text\"}\n");
        TrainingSet set = TrainingSet.read(temp.resolve("m"));
        assertThat(set.pairs()).hasSize(pairs + 1);
        assertThat(set.pairs().getFirst().query()).isEqualTo("a");
        assertThat(set.pairs().getFirst().passage().text()).isEqualTo("p");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"anchor":"a","positive":"p","negative":"n"}                                              | n
            {"anchor":"a","positive":"p","negative_1":"n","negative_2":"m","note":"x"}                | n,m
            {"query":"a","pos":["p"],"neg":["n","m"]}                                                 | n,m
            {"query_id":"1","query":"a","positive_passages":[{"docid":"d","title":"","text":"p"}],\
            "negative_passages":[{"docid":"e:0-9","title":"T","text":"n"}]}                           | T n
            """)
    void hardNegativesAreRead(String row, String negatives) throws IOException {
        write("m/train.jsonl", row + "\n");
        TrainingSet set = TrainingSet.read(temp.resolve("m"));
        assertThat(set.pairs().getFirst().negatives())
                .extracting(Pair.Text::text)
                .containsExactly(negatives.split(","));
        assertThat(set.negatives()).isEqualTo(negatives.split(",").length);
    }

    /** The worker counts characters, Java counts UTF-16 units. */
    @Test
    void theEndOfTheEvidenceIsInCodePoints() {
        Pair pair = new Pair("q", new Pair.Text("🦊🦊 ab", "p", "p"), Set.of(), 5, List.of());
        assertThat(pair.row()).containsEntry("evidence", 3);
    }

    @Test
    void trainersRowsAndJudgementsGiveTheSameDocuments() throws IOException {
        write("t.jsonl", """
                {"query_id":"1","query":"a","positive_passages":[{"docid":"d1:0-9","title":"T","text":"one two"}]}
                {"query_id":"2","query":"b","positive_passages":[{"docid":"d2","title":"","text":"four five"}]}
                """);
        benchmark("{\"_id\":\"1\",\"text\":\"a\"}\n{\"_id\":\"2\",\"text\":\"b\"}\n", "1\td1:0-9\t1\n2\td2\t1\n");
        assertThat(TrainingSet.read(temp.resolve("t.jsonl")).pairs())
                .isEqualTo(TrainingSet.read(temp).pairs());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"query":"a","pos":["p","r"],"neg":["r"]} | a negative is also relevant
            {"anchor":"a","positive":"p","negative":"p"} | a negative is also relevant
            {"text":"a"}                              | rows have anchor or query and positive
            {"query":"a","pos":[],"neg":[]}           | holds no query with a relevant passage
            {"anchor":"a","positive":"p"}             | are of one document
            {"anchor":"a","positive":7}               | it must be a string
            """)
    void whatCannotBeTrainedWithIsOneLine(String row, String problem) throws IOException {
        write("train.jsonl", row + "\n");
        assertThatThrownBy(() -> TrainingSet.read(temp))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining(problem)
                .hasMessageContaining(temp.toString());
    }
}
