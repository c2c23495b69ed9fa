package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.study.calibrate.PlantedBenchmark;
import io.posbias.study.calibrate.ReferenceEncoder;
import io.posbias.study.calibrate.ReferenceEncoder.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnoseTest {
    private static final List<String> WORDS =
            IntStream.range(0, 300).mapToObj(i -> "W" + i).toList();
    private static final int SENTENCES = 12;

    @TempDir
    Path temp;

    private static List<String> lines(Cli.Ended ended, String start) {
        assertThat(ended.code()).as(ended.err()).isZero();
        return ended.out().lines().filter(line -> line.startsWith(start)).toList();
    }

    @Test
    void movingEvidenceDoesNotMoveBm25() throws IOException {
        Path out = temp.resolve("out");
        Cli.Ended ended = Cli.run("diagnose moving --model bm25 --dataset demo --format csv --out", out);
        for (int place = 2; place <= 10; place++) {
            assertThat(lines(ended, "bm25,1200," + place + ",").getFirst()).endsWith(",0.0,0.0,0.0,1.0");
        }
        Cli.Ended table = Cli.run("diagnose moving --model bm25 --dataset demo");
        assertThat(lines(table, "bm25 "))
                .singleElement()
                .asString()
                .matches("bm25 +1,?200 +10 +1 +1 +0.0 +\\[0.0, 0.0]");
        assertThat(ended.err()).contains("demo: 1200 documents; 0 left out");
        assertThat(Files.readAllLines(out.resolve("bm25/scores.csv"))).hasSize(12001);
        assertThat(Files.readString(out.resolve("bm25/result.json")))
                .contains("\"schema\" : \"posbias/diagnose-result/2\"", "\"peak_minus_lowest\" : 0.0");
    }

    @Test
    void textsThatWereCutAreTold() throws IOException {
        Path benchmark = write(temp.resolve("planted"));
        Path near = new ReferenceEncoder("near", Shape.FLAT, 0, 192, 1, 20).write(temp.resolve("near"), WORDS);
        Cli.Ended ended = Cli.run("diagnose moving --model", near + ",bm25", "--dataset", benchmark, "--no-cache");
        assertThat(ended.err())
                .containsPattern("near: (\\d+) of \\1 texts .* 20 tokens")
                .doesNotContain("bm25: ");
    }

    @Test
    void plantedPrimacyIsSeen() throws IOException {
        Path benchmark = write(temp.resolve("planted"));
        Path primacy =
                new ReferenceEncoder("primacy", Shape.PRIMACY, 2, 192, 1, 512).write(temp.resolve("primacy"), WORDS);
        Path recency =
                new ReferenceEncoder("recency", Shape.RECENCY, 2, 192, 1, 512).write(temp.resolve("recency"), WORDS);
        Cli.Ended moving = Cli.run(
                "diagnose moving --model", primacy + "," + recency, "--dataset", benchmark, "--positions 5 --no-cache");
        assertThat(lines(moving, "primacy ")).first().asString().matches("primacy +40 +5 +1 +5 +\\+.*");
        assertThat(lines(moving, "recency ")).first().asString().matches("recency +40 +5 +5 +1 +\\+.*");
        assertThat(lines(moving, "5 ")).first().asString().endsWith(" <0.001");
    }

    /** Documents of twelve sentences of four words, asked for all words of one. */
    private static Path write(Path folder) throws IOException {
        Random random = new Random(5);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("dataset.yaml"), "name: planted\nlanguage: en\nbucketing: relative:5\n");
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            for (int p = 0; p < 40; p++) {
                List<String> sentences = IntStream.range(0, SENTENCES)
                        .mapToObj(s -> random.ints(4, 0, WORDS.size())
                                .mapToObj(WORDS::get)
                                .collect(Collectors.joining(" ", "", ".")))
                        .toList();
                String text = String.join(" ", sentences);
                String asked = sentences.get(p % SENTENCES);
                int start = text.indexOf(asked);
                out.passage(new Passage("p" + p, "", text));
                out.query(new Query(
                        "q" + p,
                        asked.replace(".", ""),
                        new Evidence(start, start + asked.length(), text.length(), Evidence.UNKNOWN, List.of(), null)));
                out.judgment("q" + p, "p" + p, 1);
            }
        }
        return folder;
    }

    @Test
    void aBenchmarkOfShortDocumentsIsOneLine() throws IOException {
        Path benchmark = PlantedBenchmark.write(temp.resolve("short"), 7, 150, false);
        Cli.run("diagnose moving --model bm25 --dataset", benchmark)
                .fails(1, "planted: all 750 documents", "3 sentences");
    }

    @Test
    void aBenchmarkWithoutSpansHasNothingToMove() throws IOException {
        Path folder = temp.resolve("spanless");
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            out.passage(new Passage("p", "", "One. Two. Three. Four."));
            out.query(new Query("q", "two", null));
            out.judgment("q", "p", 1);
        }
        Cli.run("diagnose moving --model bm25 --dataset", folder).fails(2, "no query with an evidence span");
    }

    @Test
    void refusesWhatCannotBe() throws IOException {
        assertThat(Cli.run("diagnose").err()).startsWith("Usage: posbias diagnose COMMAND");
    }

    /** Table 4 of the paper on training distributions has the same places; it prints 21.2 where Table 13 gives 21.6. */
    @Test
    void movingPrintsThePublishedCurves() {
        Cli.Ended ended = Cli.run("diagnose moving --model bm25 --dataset demo --n 5 --with-published")
                .ok();
        assertThat(ended.out())
                .containsPattern("ModernBERT-base MB \\(.*\\) +- +10 +1 +9 +\\+21.6 +-")
                .containsPattern("Qwen3-0.6B MU \\(.*\\) +- +10 +9 +10 +\\+5.5 +-")
                .contains("Table 13 of arXiv:2605.26578");
        assertThat(ended.out().lines().filter(line -> line.contains("(published)")))
                .hasSizeGreaterThanOrEqualTo(64);
    }

    /** Said before the texts are scored, with the number of queries that would do. */
    @Test
    void tooFewClustersAreSaidFirst() {
        Cli.Ended few =
                Cli.run("diagnose position --model bm25 --dataset demo --n 12").ok();
        assertThat(few.err().lines())
                .containsSubsequence(
                        few.err()
                                .lines()
                                .filter(line -> line.contains("are too few for a conclusion"))
                                .findFirst()
                                .orElseThrow(),
                        few.err()
                                .lines()
                                .filter(line -> line.contains(" to score, "))
                                .findFirst()
                                .orElseThrow());
        assertThat(few.err()).containsPattern("12 queries in 12 clusters .* about 20 queries like these 12");
        assertThat(few.out()).contains("too few");
    }
}
