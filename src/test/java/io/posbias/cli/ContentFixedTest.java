package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentFixedTest {
    @TempDir
    static Path temp;

    private static Path primacy;
    private static Path cells;

    /** Runs a command in a home of this class, where vectors are kept from test to test. */
    private static Cli.Ended run(Object... words) {
        return Cli.run(Map.of("POSBIAS_HOME", temp.resolve("home").toString()), words);
    }

    @BeforeAll
    static void evaluate() {
        Path refs = temp.resolve("refs");
        run("calibrate references --dataset demo --out", refs, "--reference reference-primacy-2,reference-recency-2")
                .ok();
        primacy = refs.resolve("reference-primacy-2/recipe.yaml");
        cells = temp.resolve("cells");
        Cli.Ended eval = run(
                        "eval --model bm25," + primacy,
                        "--dataset demo --content-fixed 80 --draws 300 --width 250 --results",
                        cells)
                .ok();
        assertThat(eval.err())
                .containsSubsequence("demo: 80 queries", "by rotation", "0 left out")
                .containsPattern("demo: \\d+ .* 10 places .* \\d\\.\\d million ");
        assertThat(eval.out())
                .containsPattern("reference-primacy-2 .* position‡\n")
                .containsPattern("bm25 +[0-9.]+ +0.0% \\[0.0, 0.0\\] +1.000 +0.0 +0 : 0 +0.000 +even");
    }

    /** A model that is added to an experiment is in a lower tier where it loses more than the others beyond noise. */
    @Test
    void aLeaderboardHasTiersOfTheLoss() throws IOException {
        Path yaml = Files.writeString(temp.resolve("board.yaml"), """
            name: board
            models: [bm25]
            datasets: [demo]
            settings: {content-fixed: 80, draws: 300}
            tables:
              - {file: a.csv, layout: leaderboard, format: csv}
              - {file: a.json, format: json}
            """);
        assertThat(run("run", yaml, "--model bm25-lucene," + primacy, "--results", cells)
                        .ok()
                        .err())
                .contains("bm25 on demo: finished before", "reference-primacy-2 on demo: finished before");
        Path table = cells.resolve("tables/board/a.csv");
        assertThat(Files.readAllLines(table))
                .satisfiesExactly(
                        header -> assertThat(header).startsWith("dataset,model,tier,loss at back,interval,by not"),
                        first -> assertThat(first)
                                .startsWith("demo,bm25,1,0.00%,")
                                .endsWith(",80,even"),
                        second -> assertThat(second).startsWith("demo,bm25-lucene,1,0.00%,"),
                        third -> assertThat(third)
                                .startsWith("demo,reference-primacy-2,2,")
                                .endsWith(",80,position"));
        // One file of several results has no queries, so no tiers.
        assertThat(run("report", table.resolveSibling("a.json"), "--layout leaderboard --format csv")
                        .ok()
                        .out())
                .contains("demo,bm25,-,0.00%,");
    }

    private static Fields fixed(String model) throws IOException {
        Path file = cells.resolve("demo").resolve(model).resolve("result.json");
        assertThat(SchemaCheck.takes(SchemaCheck.read("result-5"), Files.readString(file)))
                .isTrue();
        return Json.readJson(file)
                .records("results")
                .getFirst()
                .records("profiles")
                .getFirst()
                .record("content_fixed");
    }

    @Test
    void placesContrastsAndRulesAreShownOnRequest() {
        String command = "diagnose position --dataset demo --n 80 --draws 300 --model";
        String plain = run(command, primacy).ok().out();
        assertThat(plain.lines().filter(line -> line.startsWith("reference-primacy-2 ")))
                .hasSize(1);
        assertThat(plain.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        String places = run(command, primacy, "--places-table").ok().out();
        assertThat(places.lines().filter(line -> line.matches("reference-primacy-2 +\\d+ +[0-9.]+ .*")))
                .hasSize(10);
        String statistics = run(command, primacy, "--stats --digits 3").ok().out();
        assertThat(statistics).containsPattern("clusters +G\\* ").containsPattern("0-20% +\\d+ +[0-9]+\\.[0-9]{3} ");
        assertThat(run(command, primacy, "--explain").ok().out()).contains("position: ", "flips: ");
    }

    @Test
    void aDifferenceNamesTheCommandThatExplainsIt() {
        Path results = temp.resolve("results");
        String eval = "eval --dataset demo --draws 300 --blind none --width 200 --results";
        assertThat(run(eval, results, "--model", primacy).ok().out())
                .contains("posbias diagnose position --model " + primacy + " --dataset demo\n");
        Path run = cells.resolve("demo/reference-primacy-2/run.trec.gz");
        assertThat(run("score --dataset demo --draws 300 --width 200 --run", run, "--results", temp.resolve("scored"))
                        .ok()
                        .out())
                .containsPattern("position or content\\? .*posbias data build windows")
                .doesNotContain("--model");
        assertThat(run(eval, results, "--model bm25").ok().out()).doesNotContain("diagnose position");
    }

    @Test
    void whatWasPlantedIsFoundAndBm25HasNone() throws IOException {
        assertThat(fixed("reference-primacy-2").text("outcome")).isEqualTo("primacy");
        Fields blind = fixed("bm25");
        assertThat(blind.record("cpsi").number("value")).isZero();
        assertThat(blind.record("front_minus_back").number("p_value")).isOne();
        assertThat(blind.records("buckets"))
                .allSatisfy(bucket ->
                        assertThat(bucket.record("position").number("value")).isZero());
    }

    @Test
    void aSecondRunTakesTheResultAndASampleOfAnotherSizeMakesItAgain() {
        Object[] same = {
            "eval --model bm25 --dataset demo --content-fixed 80 --draws 300 --out", cells.resolve("demo/bm25")
        };
        assertThat(run(same).err()).startsWith("bm25 on demo: finished before");
        Path copy = temp.resolve("copy");
        Cli.Ended plain = run("eval --model bm25 --dataset demo --draws 300 --out", copy);
        assertThat(plain.out()).doesNotContain("content held fixed");
        Cli.Ended more = run("eval --model bm25 --dataset demo --draws 300 --content-fixed 20 --out", copy)
                .ok();
        assertThat(more.out()).contains("content held fixed");
    }

    private static AbstractStringAssert<?> gatedLoss(Path before, Path after, String condition, int code) {
        Cli.Ended gate = run(
                "gate --allow-other-model --baseline", before, "--result", after, "--draws 300 --fail-on", condition);
        assertThat(gate.code()).as(gate.out() + gate.err()).isEqualTo(code);
        return assertThat(gate.out());
    }

    @Test
    void compareAndGateLookAtIt() {
        Path bm25 = cells.resolve("demo/bm25");
        Path planted = cells.resolve("demo/reference-primacy-2");
        Cli.Ended compare = run("compare", bm25, planted, "--draws 300");
        assertThat(compare.out()).contains("loss at back: reference-primacy-2 - bm25: +");
        gatedLoss(bm25, planted, "loss>+2%", 3).contains("WORSE    loss of nDCG@10");
        gatedLoss(bm25, planted, "loss>+0.02", 3).contains("WORSE    loss of nDCG@10");
        gatedLoss(planted, bm25, "loss>+2%", 0).startsWith("PASS");
        Cli.Ended gate = run(
                "gate --allow-other-model --baseline", bm25, "--result", planted, "--draws 300 --fail-on cpsi>+0.01");
        assertThat(gate.code()).isEqualTo(3);
        assertThat(gate.out()).containsSubsequence("reference-primacy-2 on demo", "WORSE    cpsi of nDCG@10");
        run("gate --allow-other-model --baseline", planted, "--result", bm25, "--draws 300 --fail-on cpsi>+0.01")
                .ok();
    }

    @Test
    void anExperimentMayHoldTheContentFixed() throws IOException {
        Path file = Files.writeString(temp.resolve("held.yaml"), """
            name: held
            models: [bm25]
            datasets: [demo]
            settings: {draws: 100, cluster: none, content-fixed: 20}
            """);
        Cli.Ended run = run("run", file, "--results", temp.resolve("runs")).ok();
        assertThat(run.err()).contains("demo: 20 queries");
        Path wrong = Files.writeString(temp.resolve("wrong.yaml"), """
            name: wrong
            models: [bm25]
            datasets: [demo]
            settings: {cluster: page}
            """);
        assertThat(run("run", wrong).err()).contains("\"page\"", "passage, article, none");
    }

    @Test
    void wrongUsageIsOneLine() {
        for (List<Object> wrong : List.<List<Object>>of(
                List.of("eval --model bm25 --dataset demo --placing moving"),
                List.of("eval --model bm25 --dataset demo --content-fixed 1"),
                List.of("eval --model bm25 --dataset demo --content-fixed --k 10"),
                List.of("eval --model bm25 --dataset demo --content-fixed --draws 0"),
                List.of("eval --model", primacy, "--dataset demo --blind", primacy),
                List.of("diagnose position --model bm25 --dataset demo --places 6"),
                List.of("diagnose position --model bm25 --dataset demo --placing windows --places 2"),
                List.of("diagnose position --model bm25 --dataset demo --window 3"))) {
            Cli.Ended ended = run(wrong.toArray());
            assertThat(ended.code()).as(wrong.toString()).isEqualTo(2);
            assertThat(ended.err().lines()).as(wrong.toString()).hasSize(1);
        }
        Cli.Ended windows = run("diagnose position --model bm25 --dataset demo --placing windows --window 9");
        assertThat(windows.code()).isOne();
        assertThat(windows.err()).contains("windows of 9 words", "50 queries of 20 clusters", "--window");
    }

    @Test
    void aModelThatMaySeePositionsStandsBesideOneThatCannot() {
        Cli.Ended eval = beside("--verbose");
        assertThat(eval.out()).containsPattern("\nbm25 \\(blind\\) +");
        assertThat(eval.err().lines().filter(line -> line.startsWith("load demo: ")))
                .as("digested once and opened once, for both")
                .hasSize(2);
        assertThat(beside("--blind none").out()).doesNotContain("blind");
    }

    private Cli.Ended beside(Object... more) {
        return run("eval --model", primacy, "--dataset demo --draws 100 --out", temp.resolve("beside"), more);
    }

    @Test
    void unitsArePassagesUnlessToldOtherwise() throws IOException {
        String lines = Files.readString(cells.resolve("demo/bm25/queries.csv"));
        assertThat(lines).startsWith("query_id,buckets,stratum,passage,start,");
        Path bm25 = cells.resolve("demo/bm25");
        Path planted = cells.resolve("demo/reference-primacy-2");
        assertThat(run("compare", bm25, planted, "--draws 100 --format csv").out())
                .contains(",1200,240,");
        assertThat(run("compare", bm25, planted, "--draws 100 --cluster none --format csv")
                        .out())
                .contains(",1200,1200,");
        Cli.Ended article = run("compare", bm25, planted, "--draws 100 --cluster article");
        assertThat(article.code()).isEqualTo(2);
        assertThat(article.err()).contains("evaluate with --cluster article");
    }
}
