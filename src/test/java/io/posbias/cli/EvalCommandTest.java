package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.data.dataset.TinyBenchmark;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFileTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvalCommandTest {
    private static final String DEMO_TABLE = """
            demo, nDCG@10 in points
            model    0-20%  20-40%  40-60%  60-80%  80-100%  mean
            -----------------------------------------------------
            queries    240     240     240     240      240  1200
            bm25      68.0    68.2    67.6    66.0     68.1  67.6

            model               PSI [95%]      p  verdict
            ---------------------------------------------
            bm25     0.031 [0.000, 0.105]  0.862  even
            1200 queries in 240 passages; buckets relative:5; PSI = 1 - min / max mean
            bm25: no difference between positions beyond noise; a PSI above 0.105 is
              excluded
            """;

    private static final String DEMO_STATISTICS = """

            demo, nDCG@10: statistics of PSI and direction
            model  clusters   G*  bucket mean  corrected  noise95  slope  front - back  middle - ends  test
            -----------------------------------------------------------------------------------------------
            bm25        240  240         67.6      0.000    0.083   -0.4          -0.6           +1.0  even
            """;

    @TempDir
    Path temp;

    private List<String> files(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(temp.resolve(folder))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> temp.resolve(folder).relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aTableGoesToStdoutAndTimesToStderr() throws IOException {
        Cli.Ended ended = Cli.run("eval --model bm25 --dataset demo --out", temp.resolve("out"));
        assertThat(ended.out()).isEqualTo(DEMO_TABLE);
        assertThat(ended.err()).matches("(?s)bm25 on demo: load .* s, index .* s, .* score .* s, .*; files in .*");
        assertThat(ended.code()).isZero();
        assertThat(files("out")).containsExactly("buckets.csv", "queries.csv", "result.json", "run.trec.gz");
        Cli.Ended more = Cli.run("eval --model bm25 --dataset demo --stats --width 120 --out", temp.resolve("out"));
        assertThat(more.out())
                .contains("1200 queries in 240 passages; buckets relative:5;")
                .endsWith(DEMO_STATISTICS);
    }

    @Test
    void resultsAreValidAndSayHowTheyWereMade() throws IOException {
        Cli.run("eval --model bm25 --dataset demo --out", temp.resolve("out"));
        Path file = temp.resolve("out/result.json");
        assertThat(ResultFileTest.violations(Files.readString(file))).isEmpty();
        Result result = ResultFile.read(file).getFirst();
        assertThat(result.recipe()).containsEntry("k1", 1.5).containsEntry("kind", "bm25");
        assertThat(result.provenance().datasetSha256()).containsKeys("corpus.jsonl", "queries.jsonl", "qrels/test.tsv");
        assertThat(result.provenance().environment())
                .containsKeys("posbias", "java", "lucene", "os", "processors", "threads");
        assertThat(result.settings().seed()).isEqualTo(42);
        assertThat(result.provenance().seconds()).containsKeys("load", "index", "search", "score", "profile");
    }

    @Test
    void everyBytesAreTheSameWithOneThreadAndWithTwo() {
        Cli.run("eval --model bm25 --dataset demo --threads 1 --out", temp.resolve("one"));
        Cli.run("eval --model bm25 --dataset demo --threads 2 --out", temp.resolve("two"));
        for (String file : List.of("buckets.csv", "queries.csv", "run.trec.gz")) {
            assertThat(temp.resolve("two").resolve(file))
                    .hasSameBinaryContentAs(temp.resolve("one").resolve(file));
        }
    }

    @Test
    void resultsOfOtherSettingsAreNotOverwrittenUnasked() throws IOException {
        Cli.run("eval --model bm25 --dataset demo --out", temp.resolve("out"));
        byte[] before = Files.readAllBytes(temp.resolve("out/result.json"));
        Cli.run("eval --model bm25 --dataset demo --k 200 --out", temp.resolve("out"))
                .fails(1, temp.resolve("out").toString(), "k 100", "200", "--overwrite", "--out");
        Cli.Ended model = Cli.run("eval --model bm25-lucene --dataset demo --out", temp.resolve("out"));
        assertThat(model.err()).contains("belongs to another model or dataset");
        assertThat(temp.resolve("out/result.json")).hasBinaryContent(before);
    }

    @Test
    void aBrokenBenchmarkDoesNotStopTheOthers() throws IOException {
        Path broken = Files.createDirectory(temp.resolve("broken"));
        Files.writeString(broken.resolve("dataset.yaml"), "name: broken\n");
        Cli.Ended ended = Cli.run("eval --model bm25 --dataset", broken + ",demo", "--results", temp.resolve("all"));
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).startsWith("posbias: broken: " + broken + ": ").contains("corpus");
        assertThat(ended.out()).contains("\nbm25 ");
    }

    @Test
    void cellsOfOneNameAreRefused() throws IOException {
        Path twin = Files.writeString(temp.resolve("twin.yaml"), "name: bm25\nkind: bm25\nk1: 1\nb: 0\n");
        Cli.run("eval --model bm25," + twin, "--dataset demo").fails(2, "--model", "two models called bm25");
    }

    @ParameterizedTest
    @CsvSource({
        "json, '{'",
        "csv, 'model,dataset,measure,stratum,bucket,queries,mean,thin'",
        "markdown, '**demo, nDCG@10'",
        "latex, '% needs \\usepackage'"
    })
    void printsWhatIsAskedFor(String format, String start) throws IOException {
        Cli.Ended ended =
                Cli.run("eval --model bm25 --dataset demo --draws 0 --format", format, "--out", temp.resolve(format));
        assertThat(ended.out()).startsWith(start);
        if (format.equals("json")) {
            assertThat(ResultFileTest.violations(ended.out())).isEmpty();
        }
    }

    @Test
    void bucketsAndMeasuresCanBeChosen() {
        Cli.Ended ended = Cli.run(
                "eval --model bm25 --dataset demo --buckets thirds --measures RR@10,R@100 --draws 0 --out",
                temp.resolve("out"));
        assertThat(ended.out()).containsPattern("RR@10 .*\nmodel +beginning ").contains("demo, R@100 in points");
    }

    @Test
    void aSplitIsABenchmarkOfItsOwn() {
        TinyBenchmark tiny = TinyBenchmark.in(temp.resolve("tiny"))
                .write("qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq2\tp1\t1\n");
        Path root = temp.resolve("all");
        Object[] test = {"eval --model bm25 --dataset", tiny.folder(), "--draws 0 --results", root};
        Object[] dev =
                Stream.concat(Stream.of(test), Stream.of("--split", "dev")).toArray();
        assertThat(Cli.run(test).code()).isZero();
        Cli.run(dev).ok();
        Result result =
                ResultFile.read(root.resolve("tiny-dev/bm25/result.json")).getFirst();
        assertThat(result.dataset()).isEqualTo("tiny-dev");
        assertThat(result.provenance().datasetSha256())
                .containsKey("qrels/dev.tsv")
                .doesNotContainKey("qrels/test.tsv");
        assertThat(result.queries().judged()).isEqualTo(1);
        assertThat(root.resolve("tiny/bm25/result.json")).exists();
        Cli.Ended score = Cli.run(
                "score --run",
                root.resolve("tiny-dev/bm25/run.trec.gz"),
                "--dataset",
                tiny.folder(),
                "--split dev --results",
                root);
        assertThat(score.out()).startsWith("tiny-dev, ");
        dev[dev.length - 1] = "train";
        assertThat(Cli.run(dev).err()).contains("holds no qrels/train file");
        dev[dev.length - 1] = "../dev";
        assertThat(Cli.run(dev).err()).startsWith("posbias: --split ").contains("qrels");
    }

    @Test
    void aDatasetWithoutBucketsAsksForThem() throws IOException {
        Path folder = temp.resolve("raw");
        Files.createDirectories(folder.resolve("qrels"));
        Files.writeString(temp.resolve("raw/corpus.jsonl"), "{\"_id\": \"p\", \"text\": \"a fox\"}\n");
        Files.writeString(
                temp.resolve("raw/queries.jsonl"), "{\"_id\": \"q\", \"text\": \"fox\", \"span_class\": \"end\"}\n");
        Files.writeString(temp.resolve("raw/qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq\tp\t1\n");
        Cli.run("eval --model bm25 --dataset", folder, "--out", temp.resolve("out"))
                .fails(2, "dataset raw", "--buckets", "bucketing", "dataset.yaml");
    }

    private String recipe(String settings) throws IOException {
        return Files.writeString(temp.resolve("recipe.yaml"), "name: counter\nkind: counting\nfamily: odd\n" + settings)
                .toString();
    }

    @Test
    void anotherJarCanBringAKindOfRetriever() throws IOException {
        Cli.Ended ended = Cli.run("eval --model", recipe(""), "--dataset demo --draws 0 --out", temp.resolve("out"))
                .ok();
        assertThat(ended.out()).contains("\ncounter ");
        assertThat(Cli.run("report", temp.resolve("out")).out()).contains("\nOther systems\ncounter ");
        Cli.Ended wrong = Cli.run("eval --model", recipe("speed: 3\n"), "--dataset demo --out", temp.resolve("x"));
        assertThat(wrong.err()).contains("recipe.yaml: unknown field \"speed\"");
    }

    /** A passage's place in a list is its ordinal. */
    @Test
    void aRetrieverMayKeepPassagesInAList() throws IOException {
        List<String> words = Stream.of("fox owl bee ant cat dog emu gnu hen jay".split(" ", -1))
                .toList();
        Path folder = TinyBenchmark.ofWords(Files.createDirectory(temp.resolve("words")), words);
        Path recipe = Files.writeString(temp.resolve("list.yaml"), "name: list\nkind: list\n");
        Cli.run("eval --model", recipe, "--measures R@1 --draws 0 --dataset", folder, "--out", temp.resolve("out"))
                .ok();
        Result result = ResultFile.read(temp.resolve("out/result.json")).getFirst();
        assertThat(result.profiles().getFirst().queryMean()).isEqualTo(1.0);
    }

    @Test
    void aQueryThatFailsFailsTheRun() throws IOException {
        Cli.run("eval --model", recipe("fail_at: q0123\n"), "--dataset demo --out", temp.resolve("out"))
                .fails(1, "query q0123", "out of luck");
        assertThat(temp.resolve("out")).doesNotExist();
    }
}
