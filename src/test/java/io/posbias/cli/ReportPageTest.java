package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.data.dataset.TinyBenchmark;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportPageTest {
    @TempDir
    static Path evaluated;

    @TempDir
    Path temp;

    private Path results = Path.of("");

    @BeforeAll
    static void evaluate() {
        Path tiny = TinyBenchmark.in(evaluated.resolve("tiny")).folder();
        eval("bm25", "demo", "demo/bm25");
        eval("bm25-lucene", "demo", "demo/bm25-lucene");
        eval("bm25", tiny, "tiny/bm25");
    }

    private static void eval(String model, Object dataset, String cell) {
        Path output = evaluated.resolve("results").resolve(cell);
        Cli.run("eval --model", model, "--dataset", dataset, "--draws 100 --out", output)
                .ok();
    }

    @BeforeEach
    void copy() throws IOException {
        try (Stream<Path> files = Files.walk(evaluated)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = temp.resolve(evaluated.relativize(file));
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
        results = temp.resolve("results");
    }

    private Cli.Ended report(Object... more) {
        return Cli.run("report page", results, more);
    }

    private static Fields data(String html) {
        Matcher block = Pattern.compile("<script type=\"application/json\" id=\"data\">(.*)</script>")
                .matcher(html);
        assertThat(block.find()).isTrue();
        return Json.parse(Path.of("data"), block.group(1).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void thePageHoldsResultsQueriesTextsAndRanks() throws IOException {
        Path page = temp.resolve("a folder/page.html");
        Cli.Ended ended = report("--output", page, "--queries 20 --texts", temp.resolve("tiny"));
        assertThat(ended).isEqualTo(new Cli.Ended(0, "", "report in " + page + "\n"));
        Fields data = data(Files.readString(page));
        assertThat(data.records("results"))
                .extracting(result -> result.text("model") + " on " + result.text("dataset"))
                .containsExactly("bm25 on demo", "bm25-lucene on demo", "bm25 on tiny");
        Fields demo = data.records("drilldowns").getFirst();
        assertThat(demo.text("dataset")).isEqualTo("demo");
        assertThat(demo.integer("queries")).isEqualTo(1200);
        assertThat(demo.records("sample")).hasSize(20).allSatisfy(query -> {
            assertThat(query.record("scores").names()).containsExactly("bm25", "bm25-lucene");
            assertThat(query.record("ranks").names()).containsExactly("bm25", "bm25-lucene");
        });
        Fields tiny = data.records("drilldowns").getLast();
        Fields owl = tiny.records("sample").stream()
                .filter(query -> query.text("id").equals("q2"))
                .findFirst()
                .orElseThrow();
        Fields gold = owl.records("gold").getFirst();
        assertThat(gold.record("text").text("text")).isEqualTo("An owl 🦉 hunts mice in the barn at night.");
        // Code points 15 to 19 on disk; JavaScript counts the owl twice.
        assertThat(gold.record("text").raw("mark")).isEqualTo(List.of(16, 20));
        assertThat(gold.record("title").text("text")).isEqualTo("Owls");
        assertThat(owl.record("ranks").integer("bm25")).isEqualTo(1);
        assertThat(owl.raw("place")).isEqualTo(List.of(15, 19, 41));
    }

    @Test
    void aModelsStripIsInThePage() {
        Fields profile = data(report().out())
                .records("results")
                .getFirst()
                .records("profiles")
                .getFirst();
        assertThat(profile.raw("strip"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(5);
        assertThat(profile.text("strip_text")).matches("0-20%: \\d+\\.\\d, 20-40%: .*, 80-100%: \\d+\\.\\d");
    }

    @Test
    void aBadgeIsOfOneResult() throws IOException {
        Path badge = temp.resolve("badge.svg");
        Path cell = results.resolve("demo/bm25");
        Cli.Ended ended = Cli.run("report badge", cell, "--output", badge);
        assertThat(ended).isEqualTo(new Cli.Ended(0, "", "report in " + badge + "\n"));
        assertThat(Cli.run("report badge", results, "--dataset tiny").out()).startsWith("<svg ");
        assertThat(badge)
                .content()
                .startsWith("<svg ")
                .contains("<title>bm25 on demo, nDCG@10 ")
                .endsWith("</svg>\n");
        Cli.run("report badge", results).fails(2, cell);
        Cli.run("report badge", cell, "--measure R@7").fails(2, "R@7", "nDCG@10");
    }

    @Test
    void aRelevantPassageThatWasNotFoundHasRankZero() throws IOException {
        String lines = "q1 Q0 p2 1 2.0 x\nq1 Q0 p1 2 1.0 x\nq2 Q0 p1 1 1.0 x\n";
        Path run = Files.writeString(temp.resolve("run.trec"), lines);
        Path cell = results.resolve("tiny/other");
        Cli.run("score --run", run, "--dataset", temp.resolve("tiny"), "--name other --out", cell);
        assertThat(ranksOnTiny()).containsExactlyInAnyOrder("q1 {bm25=1, other=2}", "q2 {bm25=1, other=0}");
    }

    private List<String> ranksOnTiny() {
        Fields data = data(report("--texts", temp.resolve("tiny")).out());
        return data.records("drilldowns").getLast().records("sample").stream()
                .map(query -> query.text("id") + " " + query.record("ranks").toMap())
                .toList();
    }

    /** The page and {@code report show} rank as scores do: a run may hold passages that its query excludes. */
    @Test
    void excludedPassagesTakeNoRank() throws IOException {
        Path data = TinyBenchmark.in(temp.resolve("excluding"))
                .write("dataset.yaml", "name: excluding\nlanguage: en\nbucketing: thirds\n")
                .write(
                        "queries.jsonl",
                        TinyBenchmark.row(
                                "q1", "fox", ", \"pos_char_span\": [17, 37], \"excluded_ids\": [\"p2\", \"p3\"]"))
                .write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tp1\t1\n")
                .folder();
        Path cell = temp.resolve("excluding-results");
        assertThat(Cli.run("eval --model bm25 --dataset", data, "--draws 0 --out", cell)
                        .code())
                .isZero();
        Path json = cell.resolve("result.json");
        Files.writeString(json, Files.readString(json).replaceFirst("(?s)\"files_sha256\" : \\{.*?},\\s*", ""));
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(cell.resolve("run.trec.gz")))) {
            out.write("q1 Q0 p3 1 3 x\nq1 Q0 p2 2 2 x\nq1 Q0 p1 3 1 x\n".getBytes(StandardCharsets.UTF_8));
        }
        Fields page = data(Cli.run("report page", cell).out());
        Fields query = page.records("drilldowns").getFirst().records("sample").getFirst();
        assertThat(query.record("ranks").integer("bm25")).isEqualTo(1);
        assertThat(Cli.run("report show q1", cell).out()).contains("first relevant passage at rank 1 of 1 found");
    }

    /** The results of demo say nowhere where it was: it is part of posbias. Those of the copy do. */
    @Test
    void aCopyThatWasChangedSinceIsNoReasonNotToTakePosbiassOwn() throws IOException {
        Path copy = temp.resolve("demo-copy");
        for (String file : List.of("dataset.yaml", "corpus.jsonl", "queries.jsonl", "qrels/test.tsv")) {
            Files.createDirectories(copy.resolve(file).getParent());
            Files.copy(Configs.path("data/demo").resolve(file), copy.resolve(file));
        }
        Path cell = temp.resolve("copied");
        Cli.run("eval --model bm25 --dataset", copy, "--draws 100 --out", cell);
        assertThat(cell.resolve("result.json")).content().contains("\"dataset_folder\" : \"../demo-copy\"");
        assertThat(results.resolve("demo/bm25/result.json")).content().doesNotContain("dataset_folder");
        Files.writeString(copy.resolve("corpus.jsonl"), "\n", StandardOpenOption.APPEND);
        Cli.Ended ended = Cli.run("report page", cell);
        assertThat(ended.err()).isEmpty();
        assertThat(data(ended.out()).records("drilldowns").getFirst().has("missing"))
                .isFalse();
    }

    @Test
    void withoutTheBenchmarkThePageSaysSo() throws IOException {
        Path away = temp.resolve("away");
        Files.move(temp.resolve("tiny"), away);
        Cli.Ended ended = report();
        assertThat(ended.err())
                .startsWith("note: no texts and ranks of tiny: ")
                .contains("--texts")
                .hasLineCount(1);
        Fields tiny = data(ended.out()).records("drilldowns").getLast();
        assertThat(tiny.text("missing")).isEqualTo("the benchmark is not on this machine");
        assertThat(tiny.records("sample")).hasSize(2).allSatisfy(query -> {
            assertThat(query.has("gold")).isFalse();
            assertThat(query.record("ranks").names()).isEmpty();
            assertThat(query.record("scores").names()).containsExactly("bm25");
        });
        Path corpus = away.resolve("corpus.jsonl");
        Files.writeString(corpus, Files.readString(corpus).replace("red", "reddish"));
        assertThat(report("--texts", away).err())
                .startsWith("note: no texts and ranks of tiny: ")
                .contains("other files");
    }

    @Test
    void resultsWithoutTheirQueriesHaveNone() throws IOException {
        Files.delete(results.resolve("demo/bm25/queries.csv"));
        Files.delete(results.resolve("tiny/bm25/queries.csv"));
        Fields data = data(report("--with-published").out());
        assertThat(data.records("drilldowns")).hasSize(1);
        assertThat(data.records("drilldowns").getFirst().records("sample"))
                .hasSize(100)
                .allSatisfy(query -> assertThat(query.record("scores").names()).containsExactly("bm25-lucene"));
        assertThat(data(report("--queries 0").out()).records("drilldowns")).isEmpty();
    }

    @Test
    void publishedRowsOfBothKindsOfTablesAreAdded() {
        Cli.Ended ended = Cli.run("report page --with-published");
        List<Fields> all = data(ended.out()).records("results");
        assertThat(all).allSatisfy(result -> assertThat(result.raw("published")).isEqualTo(true));
        assertThat(all).extracting(result -> result.text("dataset")).contains("squad-posq", "posir/fra-Latn");
    }

    @Test
    void optionsThatMeanNothingAreRefused() {
        report("--texts", results).fails(2, "--texts " + results);
        Path other = temp.resolve("other");
        TinyBenchmark.in(other).write("dataset.yaml", "name: other\nlanguage: en\nbucketing: thirds\n");
        report("--texts", other).fails(2, "--texts " + other, "other", "demo, tiny");
        report("--queries -1").fails(2, "--queries ", "0", "-1");
        Cli.run("report", results, "--texts", other).fails(2, "--texts", "--where", "--by");
    }

    /** Each option of {@code report} that became a command is refused with the command in its place. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RESULTS --format html --output p.html                 | page RESULTS --output p.html",
                "RESULTS --format=HTML --queries 3 --intervals --digits 2 | page RESULTS --queries 3",
                "RESULTS --format html --over benchmarks               | page RESULTS --over-benchmarks",
                "--dataset demo RESULTS --format badge --measure R@10  | badge --dataset demo RESULTS --measure R@10",
                "RESULTS --format mteb --output m                      | mteb RESULTS --output m",
                "RESULTS --plots p --output t.md --no-plot-titles      | figures RESULTS --output p --no-plot-titles",
                "RESULTS --over benchmarks --weights equal --plots p   | over benchmarks RESULTS --weights equal --plots p",
                "RESULTS --over seeds --format csv                     | over seeds RESULTS --format csv",
            })
    void anOptionThatBecameACommandNamesIt(String old, String now) {
        String folder = results.toString();
        Cli.run("report " + old.replace("RESULTS", folder))
                .fails(2, ": posbias report " + now.replace("RESULTS", folder) + "\n");
        String[] words = ("report " + now.replace("RESULTS", folder).replaceAll(" (p|p.html|m)\\b", " " + temp + "/$1"))
                .split(" ");
        if (!now.startsWith("over seeds")) {
            assertThat(Cli.run((Object[]) words).err()).doesNotContain("unknown option", "missing");
        }
    }
}
