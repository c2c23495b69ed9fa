package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Well-formed files with one wrong name or value, which once changed numbers without a word. */
class SilentChangesTest {
    private static final String SQUAD = """
            {"data": [{"title": "Foxes", "paragraphs": [{"context": "A red fox sleeps under the old bridge.",
              "qas": [{"id": "s1", "question": "where?", "answers": [{"text": "bridge", "answer_start": 31}]}]}]},
             {"title": "Owls", "paragraphs": [{"context": "An owl hunts mice in the barn at night.",
              "qas": [{"id": "s2", "question": "what?", "answers": [{"text": "mice", "answer_start": 13}]}]}]}]}
            """;

    @TempDir
    Path temp;

    private Posbias posbias = new Posbias(Path.of(""), Map.of());
    private Path tiny = Path.of("");

    @BeforeEach
    void start() {
        posbias = new Posbias(temp, Map.of());
        tiny = TinyBenchmark.in(temp.resolve("tiny")).folder();
    }

    private Cli.Ended eval(Path dataset) {
        return posbias.run("eval --model bm25 --draws 20 --dataset", dataset, "--out", temp.resolve("out"));
    }

    private static void replace(Path file, String old, String by) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(old);
        Files.writeString(file, text.replace(old, by));
    }

    @ParameterizedTest
    @CsvSource({
        "corpus.jsonl, title, Title",
        "corpus.jsonl, title, titel",
        "corpus.jsonl, title, title_",
        "queries.jsonl, pos_char_span, pos-char-span",
        "queries.jsonl, pos_char_span, pos_char_spam",
    })
    void aMisspeltFieldIsRefused(String file, String field, String misspelt) throws IOException {
        replace(tiny.resolve(file), '"' + field + '"', '"' + misspelt + '"');
        eval(tiny).fails(1, file, misspelt, field);
    }

    @Test
    void otherFieldsThanThoseThatAreReadStay() throws IOException {
        replace(tiny.resolve("corpus.jsonl"), "\"text\"", "\"rid\": 7, \"url\": \"x\", \"text\"");
        replace(tiny.resolve("queries.jsonl"), "\"text\"", "\"source\": \"x\", \"text\"");
        eval(tiny).ok();
    }

    @ParameterizedTest
    @CsvSource({"title, titlx, title", "paragraphs, paragraph, question", "answers, answer, answers"})
    void aMisspeltFieldOfSquadIsRefused(String field, String misspelt, String missing) throws IOException {
        Path squad = Files.writeString(
                temp.resolve("squad.json"), SQUAD.replaceFirst('"' + field + '"', '"' + misspelt + '"'));
        Cli.Ended ended =
                posbias.run("data build squad-posq --language en --input", squad, "--out", temp.resolve("built"));
        ended.fails(1, "squad.json", missing);
        ended.fails(1, misspelt);
    }

    @Test
    void anArticlesNameMayBeANumber() throws IOException {
        Path squad = Files.writeString(
                temp.resolve("squad.json"), SQUAD.replace("\"Foxes\"", "1984").replace("\"Owls\"", "1984"));
        Path built = temp.resolve("built");
        posbias.run("data build squad-posq --language en --input", squad, "--out", built)
                .ok();
        assertThat(Files.readAllLines(built.resolve("corpus.jsonl")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("1984"));
        Files.writeString(squad, SQUAD.replace("\"Foxes\"", "{}"));
        posbias.run("data build squad-posq --language en --overwrite --input", squad, "--out", built)
                .fails(1, "squad.json", "title");
    }

    @Test
    void anArticleOfMetadataMayBeANumberAndNothingElse() throws IOException {
        Path corpus = tiny.resolve("corpus.jsonl");
        String sound = Files.readString(corpus);
        Files.writeString(corpus, sound.replace("\"text\"", "\"metadata\": {\"article\": 7}, \"text\""));
        posbias.run("eval --model bm25 --draws 20 --cluster article --dataset", tiny, "--out", temp.resolve("out"))
                .ok();
        assertThat(ResultFile.read(temp.resolve("out/result.json"))
                        .getFirst()
                        .profiles()
                        .getFirst()
                        .clusters())
                .isEqualTo(1);
        for (String wrong : List.of("{\"article\": [7]}", "{\"article\": true}", "{\"Article\": \"x\"}")) {
            Files.writeString(corpus, sound.replace("\"text\"", "\"metadata\": " + wrong + ", \"text\""));
            posbias.run("data verify", tiny).fails(1, "corpus.jsonl", "article");
        }
    }

    @Test
    void twoColumnsOfOneNameAreRefused() throws IOException {
        eval(tiny).ok();
        Path ratings = Files.writeString(temp.resolve("other.csv"), "model,retrieval,retrieval\nbm25,40,1\n");
        posbias.run("correlate --x", ratings, "--y", temp.resolve("out")).fails(1, "other.csv");
        Files.writeString(
                tiny.resolve("qrels/test.tsv"), "query-id\tcorpus-id\tscore\tscore\nq1\tp1\t1\t0\nq2\tp2\t1\t0\n");
        posbias.run("data verify", tiny).fails(1, "test.tsv", "score");
    }

    @Test
    void aQuestionWhoseVariantHasNoJudgementIsRefused() throws IOException {
        Path articles = Files.writeString(temp.resolve("articles.json"), """
                {"data": [{"paragraphs": [{"context": "A b c. B b c. C b c. D b c.", "qas": []},
                  {"context": "E key c. F b c. G b c. H b c. I b c.",
                   "qas": [{"id": "s1", "question": "key", "answers": [{"text": "key", "answer_start": 2}]}]}]}]}
                """);
        Path windows = temp.resolve("windows");
        posbias.run("data build windows --places 3 --length 9 --variants --input", articles, "--out", windows)
                .ok();
        Path card = windows.resolve("dataset.yaml");
        Files.writeString(card, Files.readString(card).replaceAll("(?s)sha256:(\\n .*?)+(?=\\n\\S|$)", ""));
        Path qrels = windows.resolve("qrels/test.tsv");
        List<String> lines = Files.readAllLines(qrels);
        for (int place = 1; place < lines.size(); place++) {
            List<String> fewer = new ArrayList<>(lines);
            fewer.remove(place);
            Files.write(qrels, fewer);
            eval(windows).fails(1, "queries.jsonl", "_id");
        }
    }

    @Test
    void aQuestionOrAnswerWithoutATextIsCounted() throws IOException {
        replace(tiny.resolve("queries.jsonl"), "where does the fox sleep", " ");
        assertThat(eval(tiny).ok().err()).contains("1 query without a text", "queries.jsonl:1");
        Path squad = Files.writeString(temp.resolve("squad.json"), SQUAD.replace("\"mice\"", "\"\""));
        Path built = temp.resolve("built");
        assertThat(posbias.run("data build squad-posq --language en --input", squad, "--out", built)
                        .ok()
                        .err())
                .contains("left out 1 question");
        assertThat(Files.readAllLines(built.resolve("queries.jsonl"))).hasSize(1);
    }

    @Test
    void aQueryWithoutARelevantPassageIsCounted() throws IOException {
        replace(tiny.resolve("qrels/test.tsv"), "q1\tp1\t1", "q1\tp1\t-1");
        assertThat(eval(tiny).ok().out()).contains("1 query without a relevant passage");
    }

    @ParameterizedTest
    @CsvSource({"'{\"a\": 1}'", "7", "'[{}]'", "'[[7]]'"})
    void aPairOfColderIsOfTexts(String wrong) throws IOException {
        Path pairs = Files.writeString(
                temp.resolve("foil.jsonl"),
                "{\"id\": \"a\", \"query\": \"where\", \"document_1\": \"one\", \"document_2\": " + wrong + "}\n");
        posbias.run("probe import colder", pairs, "--out", temp.resolve("pairs"))
                .fails(1, "foil.jsonl", "document_2");
    }

    @ParameterizedTest
    @CsvSource({"confidence, 9.5", "confidence, -0.5", "equivalence, 2", "draws, -1"})
    void aResultsSettingsAreInTheirRange(String setting, String value) throws IOException {
        eval(tiny).ok();
        Path result = temp.resolve("out/result.json");
        Files.writeString(
                result,
                Files.readString(result).replaceAll("\"" + setting + "\" : [0-9.]+", '"' + setting + "\" : " + value));
        posbias.run("report", temp.resolve("out")).fails(1, "result.json", setting);
    }
}
