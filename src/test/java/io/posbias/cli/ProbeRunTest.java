package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.ReferenceEncoder.Shape;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeRunTest {
    @TempDir
    Path temp;

    private Path pairs;

    @BeforeEach
    void pairs() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            String word = "word" + (char) ('a' + i);
            // The first text names the word, the second does not.
            lines.append("{\"id\": \"q")
                    .append(i)
                    .append("\", \"query\": \"where is ")
                    .append(word);
            lines.append("?\", \"text1\": \"here ")
                    .append(word)
                    .append(" lives with others")
                    .append(i % 3);
            lines.append("\", \"text2\": \"nobody lives with others")
                    .append(i % 5)
                    .append("\"}\n");
        }
        pairs = Files.writeString(temp.resolve("mine.jsonl"), lines.toString());
    }

    @Test
    void wordsDecideForBm25() throws IOException {
        Path out = temp.resolve("out");
        Cli.Ended run =
                Cli.run("probe run --model bm25 --pairs", pairs, "--out", out).ok();
        assertThat(run.out())
                .startsWith("Probes: what each model prefers\n")
                .contains("\nmine: text1 - text2; positive")
                .containsPattern("bm25 +20 .* <0.001 +100.0%");
        Fields result = Json.readJson(out.resolve("bm25/result.json"));
        assertThat(result.text("schema")).isEqualTo("posbias/probe-result/1");
        Fields test = result.records("tests").getFirst();
        assertThat(test.integer("higher")).isEqualTo(20);
        assertThat(test.number("second_mean")).isZero();
        List<String> scores = Files.readAllLines(out.resolve("bm25/scores.csv"));
        assertThat(scores).hasSize(21);
        assertThat(scores.getFirst()).isEqualTo("probe,id,tags,score1,score2");
        assertThat(scores.get(1)).startsWith("mine,q0,,").endsWith(",0.0");
    }

    /** Pairs of one document are a cluster unless each pair is to count by itself, and the legend says so, once. */
    @Test
    void clustersArePairsOfOneDocumentOrPairs() throws IOException {
        String titled = Files.readString(pairs).replace("}\n", ", \"tags\": {\"title\": \"one\"}}\n");
        Path file = Files.writeString(temp.resolve("titled.jsonl"), titled.replaceFirst("\"one\"", "\"other\""));
        String[] run = {"probe run --model bm25 --explain --pairs " + file, "--pairs " + pairs};
        String documents = Cli.run((Object[]) run).ok().out();
        assertThat(documents).containsPattern("bm25 +20 +2 ").containsOnlyOnce("pairs of one document");
        assertThat(documents.lines().filter(line -> line.startsWith("t: "))).hasSize(1);
        String single = Cli.run(run[0], run[1], "--cluster none").ok().out();
        assertThat(single).containsPattern("bm25 +20 +20 ").doesNotContain("pairs of one document");
    }

    @Test
    void aPairThatIsThereTwiceIsNamedWithBothLines() throws IOException {
        List<String> lines = Files.readAllLines(pairs);
        Files.writeString(pairs, String.join("\n", lines) + "\n" + lines.get(4) + "\n");
        Cli.run("probe run --model bm25 --pairs", pairs).fails(1, pairs + ":21: ", "\"id\" is \"q4\"", "line 5");
    }

    @Test
    void filesOfAFolderAreThoseOfItsCard() throws IOException {
        Path folder = Files.createDirectories(temp.resolve("probes"));
        Path file = Files.copy(pairs, folder.resolve("mine.jsonl"));
        String card = "schema: posbias/probes/1\nprobes:\n- {probe: mine, file: mine.jsonl, sha256: "
                + Checksums.sha256(file) + "}\n- {probe: gone, file: gone.jsonl, sha256: x}\n";
        Files.writeString(folder.resolve("probes.yaml"), card);
        assertThat(Cli.run("probe run --model bm25 --data", folder).code()).isZero();
        Files.writeString(folder.resolve("probes.yaml"), card.replaceFirst("sha256", "records: 21, sha256"));
        Cli.run("probe run --model bm25 --data", folder).fails(1, file + ": ", "20 records", "21", "--overwrite");
        Files.writeString(file, Files.readString(file).replaceFirst("nobody", "nobodY"));
        Cli.run("probe run --model bm25 --data", folder)
                .fails(1, file + ": ", "probes.yaml", "SHA-256", "--overwrite", "--pairs");
        assertThat(Cli.run("probe run --model bm25 --pairs", file).code()).isZero();
        Files.writeString(folder.resolve("probes.yaml"), card.replace("mine.jsonl", "../../x"));
        assertThat(Cli.run("probe run --model bm25 --data", folder).err())
                .startsWith("posbias: cannot use \"../../x\" in " + folder);
    }

    /** A score does not depend on what else is scored with it, but for a corpus's statistics. */
    @Test
    void denseModelsGiveTheScoreOfTheirVectors() throws IOException {
        Path model = new ReferenceEncoder("dense", ReferenceEncoder.Shape.PRIMACY, 1, 64, 1, 64)
                .write(temp.resolve("dense"), WordTokenizer.words(Files.readString(pairs)));
        Path alone = Files.writeString(
                temp.resolve("one.jsonl"), Files.readAllLines(pairs).get(3) + "\n");
        Path all = temp.resolve("all");
        Path one = temp.resolve("one");
        Cli.run("probe run --model", model, "--pairs", pairs, "--out", all);
        Cli.run("probe run --model", model, "--pairs", alone, "--out", one, "--no-cache");
        String of = Files.readAllLines(all.resolve("dense/scores.csv")).get(4);
        assertThat(Files.readAllLines(one.resolve("dense/scores.csv")).get(1)).isEqualTo(of.replace("mine,", "one,"));
    }

    private Path overlaps() throws IOException {
        List<String> words = TwoWordBenchmark.words();
        String first = words.get(0) + " " + words.get(1);
        String second = words.get(0) + " " + words.get(2);
        return Files.writeString(
                temp.resolve("overlap.jsonl"),
                "{\"id\": \"a\", \"query\": \"" + first + "\", \"text1\": \"" + first + "\", \"text2\": \"" + second
                        + "\"}\n");
    }

    private List<String> scores(Path recipe, String name) throws IOException {
        Path out = temp.resolve("out");
        Cli.run("probe run --model", recipe, "--pairs", overlaps(), "--out", out, "--no-cache")
                .ok();
        return Files.readAllLines(out.resolve(name).resolve("scores.csv"));
    }

    /** The pair itself is scored: a first stage that would not find it does not count. */
    @Test
    void rerankersScoreThePairsThatAreGiven() throws IOException {
        WordTokenizer tokenizer = WordTokenizer.of(TwoWordBenchmark.words());
        Path bad = TwoWordBenchmark.badFirstStage(temp);
        Path cross = StandInRerankers.write(
                temp.resolve("cross"),
                "cross",
                StandInRerankers.overlap(tokenizer.size(), 1),
                tokenizer.toJson(),
                "kind: cross-encoder\nfamily: reranker\nmax-tokens: 64\nfirst-stage: " + bad + "\n");
        assertThat(scores(cross, "cross").get(1)).isEqualTo("overlap,a,,2.0,1.0");
    }

    @Test
    void lateInteractionScoresThePairsThatAreGiven() throws IOException {
        List<String> words = TwoWordBenchmark.words();
        Path late = StandInRerankers.write(
                temp.resolve("late"),
                "late",
                StandInRerankers.tokens(words, TwoWordBenchmark.SYNONYMS),
                WordTokenizer.of(words).toJson(),
                "kind: late-interaction\nfamily: late-interaction\nmax-tokens: 64\nfirst-stage: bm25\ndepth: 1\n");
        String[] cells = scores(late, "late").get(1).split(",", -1);
        // [CLS], both words and [SEP] all find themselves.
        assertThat(Double.parseDouble(cells[3])).isCloseTo(4, within(1e-5));
        assertThat(Double.parseDouble(cells[4])).isLessThan(3.99);
    }

    @Test
    void foldersAreReadByProbe() throws IOException {
        Files.writeString(temp.resolve("other.jsonl"), Files.readString(pairs));
        Cli.Ended both = Cli.run("probe run --model bm25 --data", temp, "--format csv");
        assertThat(both.out()).contains("\nbm25,mine,").contains("\nbm25,other,");
        Cli.Ended other = Cli.run("probe run --model bm25 --data", temp, "--probe other --format csv");
        assertThat(other.out()).doesNotContain("\nbm25,mine,").contains("\nbm25,other,");
        Cli.run("probe run --model bm25 --data", temp, "--probe othr")
                .fails(2, "--probe", "\"othr\"", "did you mean other?");
    }

    @Test
    void thePapersRowsStandBelow() throws IOException {
        Path foil = Files.writeString(temp.resolve("foil.jsonl"), Files.readString(pairs));
        Cli.Ended run = Cli.run("probe run --model bm25 --pairs", foil, "--with-published --format csv");
        assertThat(run.out())
                .containsPattern("\\n[^,]+\\*,foil,text1 - text2,250,-40.94,<0.01,0.012,,,,,,,,,\\n")
                .doesNotContain("poison", "literal");
        Cli.Ended none = Cli.run("probe run --model bm25 --pairs", foil, "--format csv");
        assertThat(none.out()).doesNotContain("-40.94");
        Cli.Ended table = Cli.run("probe run --model bm25 --pairs", foil, "--with-published");
        assertThat(table.out())
                .containsPattern("\\* +250 +- +-40.94 +<0.01 +1.2%")
                .contains("* as published");
    }

    /** The t of Figures 3 and 4 and the tables, as the authors' files have them. */
    @ParameterizedTest
    @CsvSource({
        "answer, Contriever, -5.92, <0.001",
        "answer-single, Dragon+, +13.54, <0.001",
        "position, RetroMAE MSMARCO FT, +3.86, <0.001",
        "brevity, Dragon+, +20.51, <0.001 +93.6%",
        "repetition, Dragon RoBERTa, +7.98, <0.001",
        "literal-short, Dragon+, +16.58, -",
    })
    void allProbesOfPairsHavePublishedRows(String probe, String model, String t, String p) throws IOException {
        Path file = Files.writeString(temp.resolve(probe + ".jsonl"), Files.readString(pairs));
        Cli.Ended table = Cli.run("probe run --model bm25 --pairs", file, "--with-published --width 200");
        assertThat(table.out())
                .containsPattern(
                        "\\Q" + model + "*\\E +250 +- +\\Q" + t + "\\E +" + (p.contains(" ") ? p : "\\Q" + p + "\\E"));
    }

    @Test
    void scoresOfAFinishedRunAreReadAndOthersAreNotReplacedUnasked() throws IOException {
        Path out = temp.resolve("out");
        Object[] again = {"probe run --model bm25 --pairs", pairs, "--out", out};
        Cli.Ended first = Cli.run(again);
        Path scores = out.resolve("bm25/scores.csv");
        String written = Files.readString(scores);
        Cli.Ended second = Cli.run(again);
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(second.err()).contains("bm25: scored before, see ").doesNotContain(" s\n");
        // What is read is the file, not a new scoring.
        Files.writeString(scores, written.replaceAll(",0\\.0\\n", ",9.0\n"));
        assertThat(Cli.run(again).out()).isNotEqualTo(first.out());
        assertThat(Cli.run("probe run --model bm25 --pairs", pairs, "--out", out, "--overwrite")
                        .out())
                .isEqualTo(first.out());
        assertThat(scores).hasContent(written);
        Path less = Files.writeString(
                temp.resolve("less.jsonl"), Files.readAllLines(pairs).getFirst() + "\n");
        Cli.run("probe run --model bm25 --pairs", less, "--out", out).fails(1, "--overwrite");
        assertThat(scores).hasContent(written);
        Files.writeString(scores, "probe,id,tags,score1,score2\nmine,q0,,1.0,0.0\n");
        assertThat(Cli.run(again).err()).contains("holds 1 scores where 20 belong");
    }

    @Test
    void resultsOfOtherModelFilesAreNotTaken() throws IOException {
        List<String> words =
                IntStream.range(0, 20).mapToObj(i -> "word" + (char) ('a' + i)).toList();
        Path out = temp.resolve("out");
        Path near = new ReferenceEncoder("near", Shape.FLAT, 0, 64, 1, 64).write(temp.resolve("near"), words);
        Object[] again = {"probe run --model", near, "--pairs", pairs, "--out", out};
        Path data = TinyBenchmark.ofWords(temp.resolve("data"), words);
        Object[] eval = {"eval --model", near, "--dataset", data, "--out", temp.resolve("cell")};
        assertThat(Cli.run(again).code()).isZero();
        assertThat(Cli.run(again).err()).contains("near: scored before");
        assertThat(Cli.run(eval).code()).isZero();
        assertThat(Cli.run(eval).err()).contains("near on words: finished before");
        new ReferenceEncoder("near", Shape.FLAT, 0, 64, 2, 64).write(temp.resolve("near"), words);
        assertThat(Cli.run(again).err()).contains("of another model", "--overwrite");
        assertThat(Cli.run(eval).err()).contains("other model files", "--overwrite");
    }

    @Test
    void summaryHasARowForEachModelAndAColumnForEachProbe() throws IOException {
        Path foil = Files.writeString(temp.resolve("foil.jsonl"), Files.readString(pairs));
        Cli.Ended run = Cli.run("probe run --model bm25,bm25-lucene --pairs", foil, "--pairs", pairs, "--plots", temp);
        assertThat(run.out())
                .containsPattern("model +foil t +mine t +foil acc\n-+\n")
                .containsPattern("\nbm25 +\\+[0-9.]+ +\\+[0-9.]+ +100.0%\n")
                .containsPattern("\nbm25-lucene +\\+[0-9.]+ +\\+[0-9.]+ +100.0%\n")
                .contains("\nfoil: ", " - foil; ");
        assertThat(Files.readString(temp.resolve("probes.svg"))).contains("bm25-lucene", ">mine<");
        assertThat(temp.resolve("probes.png")).isNotEmptyFile();
    }

    /** A probe that was built of too few documents has an empty file. */
    @Test
    void anEmptyProbeOfAFolderIsLeftOut() throws IOException {
        Files.writeString(temp.resolve("foil.jsonl"), "");
        Cli.Ended run = Cli.run("probe run --model bm25 --data", temp).ok();
        assertThat(run.err()).contains("foil.jsonl: no pairs, skipped\n");
        assertThat(run.out()).contains("mine t");
        Cli.Ended asked = Cli.run("probe run --model bm25 --data", temp, "--probe foil");
        assertThat(asked.code()).isEqualTo(1);
        assertThat(asked.err()).contains("foil.jsonl: holds no pair; a line is").doesNotContain("skipped");
        Files.writeString(pairs, "");
        Cli.Ended none = Cli.run("probe run --model bm25 --data", temp);
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).isEqualTo("posbias: no probe of " + temp + " holds a pair\n");
    }

    @Test
    void refusesTwinsOfModelsFilesAndProbes() throws IOException {
        Cli.run("probe run --model bm25,bm25 --pairs", pairs).fails(2, "two models called bm25");
        Cli.run("probe run --model bm25 --data", temp, "--pairs", pairs)
                .fails(2, pairs + " and " + pairs, "mine.jsonl");
        Path other = Files.writeString(
                temp.resolve("other.txt"),
                "{\"probe\": \"mine\", \"id\": 1, \"query\": \"a\", \"text1\": \"a\", \"text2\": \"b\"}\n");
        Cli.run("probe run --model bm25 --pairs", pairs, "--pairs", other)
                .fails(2, "mine.jsonl and ", "other.txt", "mine");
    }

    private static String single(String probe, int id, String tags) {
        return "{\"id\": " + id + ", \"probe\": \"" + probe
                + "\", \"query\": \"one\", \"text1\": \"one two\", \"tags\": {" + tags + "}}\n";
    }

    @Test
    void withoutAComparisonThatStandsForAProbeThereIsNoSummary() throws IOException {
        Path moving = Files.writeString(
                temp.resolve("moving.jsonl"),
                single("moving", 1, "\"position\": 1") + single("moving", 1, "\"position\": 2"));
        Cli.Ended run = Cli.run("probe run --model bm25 --pairs", moving).ok();
        // One pair has a difference and no test.
        assertThat(run.out())
                .startsWith("moving: evidence at a later place")
                .containsPattern("bm25 +1 +1 +- +- +0.0% +0.0000 +- +-");
        Path grid = Files.writeString(
                temp.resolve("grid.jsonl"),
                single("grid", 1, "\"heads_band\": 1, \"words_band\": \"131-160\"")
                        + single("grid", 2, "\"heads_band\": 1, \"words_band\": \"131-190\""));
        Cli.Ended table = Cli.run("probe run --model bm25 --pairs", grid);
        assertThat(table.out()).startsWith("bm25: mean score ").contains("\n131-160 ", "\n131-190 ");
        Cli.Ended csv = Cli.run("probe run --model bm25 --pairs", grid, "--format csv");
        assertThat(csv.out()).containsPattern("\nbm25,grid,\"heads 1, words 131-190\",1,,,,[0-9.]+,,,,,,,,\n");
    }

    @Test
    void refusesWhatIsNotThere() {
        Cli.run("probe run --model bm25 --data", temp.resolve("none")).fails(2, temp.resolve("none") + ": ");
        assertThat(Cli.run("probe run --model bm25 --pairs", temp.resolve("none.jsonl"))
                        .code())
                .isEqualTo(2);
        assertThat(Cli.run("probe run --model bm25 --pairs", pairs, "--probe x").err())
                .contains("--probe belongs to --data");
        Cli.run("probe run --model bm25 --pairs", pairs, "--overwrite").fails(2, "--overwrite", "--out");
        // Known before anything is scored.
        Cli.Ended file = Cli.run("probe run --model bm25 --pairs", pairs, "--out", pairs);
        assertThat(file.code()).isEqualTo(2);
        assertThat(file.err()).isEqualTo("posbias: --out " + pairs + " is a file\n");
    }
}
