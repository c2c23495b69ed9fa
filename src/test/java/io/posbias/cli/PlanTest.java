package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
    private static final int QUERIES = 600;
    private static final double SPREAD = 0.1;

    @TempDir
    Path temp;

    private Path before;
    private Path after;

    @BeforeEach
    void pilots() throws IOException {
        double[] noise = noise();
        double spread =
                Math.sqrt(Arrays.stream(noise).map(own -> own * own).average().orElseThrow());
        before = new SyntheticCell(QUERIES).write(temp.resolve("before"), query -> 0.5);
        after = new SyntheticCell(QUERIES).write(temp.resolve("after"), query -> 0.5 + SPREAD * noise[query] / spread);
    }

    /** Quantiles of the normal distribution, shuffled within buckets, whose means are equal. */
    private static double[] noise() {
        NormalDistribution distribution = new NormalDistribution(null, 0, 1);
        double[] values = new double[QUERIES];
        SplittableRandom random = new SplittableRandom(3);
        for (int bucket = 0; bucket < 6; bucket++) {
            int[] order = random.ints(QUERIES / 6).toArray();
            int[] ranks = IntStream.range(0, order.length)
                    .map(own -> (int) Arrays.stream(order)
                            .filter(other -> other < order[own])
                            .count())
                    .toArray();
            for (int i = 0; i < order.length; i++) {
                values[6 * i + bucket] = distribution.inverseCumulativeProbability((ranks[i] + 0.5) / order.length);
            }
        }
        return values;
    }

    private String both() {
        return "--pilot " + before + " --pilot " + after;
    }

    private static int needed(String options) {
        String csv = Cli.run("plan " + options + " --format csv").ok().out();
        return csv.lines()
                .filter(line -> line.startsWith("needed,"))
                .mapToInt(line -> Integer.parseInt(line.split(",", -1)[1]))
                .sum();
    }

    /** Expected by scripts/tests/plan_golden.py for the query mean alone; that of a bucket may fail the gate, too. */
    @Tag("slow")
    @Test
    void aGateNeedsWhatTheNoncentralTSays() {
        int needed = needed(both() + " --difference -3% --fail-on nDCG@10<-0.01 --power 0.8");
        assertThat(needed).isBetween(270, 325);
        assertThat(needed(both() + " --difference -3% --fail-on psi>+0.01,nDCG@10<-0.01"))
                .as("a condition more is a number more")
                .isGreaterThan(needed);
    }

    @Test
    void theTableIsTheSameForAnyNumberOfThreads() {
        String command = "plan " + both() + " --difference 2% --simulations 200";
        String table = Cli.run(command + " --threads 1").ok().out();
        assertThat(Cli.run(command + " --threads 3").ok().out()).isEqualTo(table);
        assertThat(table)
                .startsWith("made-up, nDCG@10, model / model: difference of 2%\n")
                .containsPattern("(?m)^pilot +600 +[0-9.]+% +[0-9.]+%$")
                .containsPattern("(?m)^needed +[0-9]+ +[78][0-9.]+% +[0-9.]+%$");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--difference 2% --loss 5% | --loss or --difference",
                "--difference two          | --difference \"two\"",
                "--difference 0            | --difference",
                "--difference 2% --power 1 | --power",
                "--difference 2% --measure R@5 | --measure R@5",
                "--difference -1% --fail-on nDCG@10<-0.01 | --fail-on",
                "--difference -1% --fail-on psi>+0.01 | --fail-on",
                "--difference -1% --fail-on any | --fail-on",
                "--loss 5%                 | --content-fixed",
            })
    void whatCannotBePlannedIsOneLine(String options, String part) {
        Cli.run("plan " + both() + " " + (options == null ? "" : options)).fails(2, part);
    }

    @Test
    void onePilotHasNoDifference() {
        Cli.run("plan --pilot " + after + " --difference 2%").fails(2, "--difference", "second --pilot");
        Cli.run("plan --pilot " + after).fails(2, "--loss or --difference");
        Cli.run("plan --pilot " + after + " --loss 100%").fails(2, "--loss");
        Cli.run("plan --pilot " + after + " --loss 0").fails(2, "--loss");
        Cli.run("plan --pilot " + temp.resolve("none") + " --loss 5%").fails(2, "none");
    }

    @Test
    void theJsonHasASchema() throws IOException {
        SchemaCheck.check(
                "sample-size-1",
                Cli.run("plan " + both() + " --difference 2% --simulations 100 --format json")
                        .ok()
                        .out());
        // No size that is simulated has the power.
        Path few = new SyntheticCell(30).write(temp.resolve("few"), query -> SyntheticCell.scores(30)[query]);
        String unreached = Cli.run("plan --pilot " + few + " --loss 0.1% --simulations 100 --format json")
                .ok()
                .out();
        assertThat(Json.mapper().readTree(unreached).at("/sizes/needed").isNull())
                .isTrue();
        SchemaCheck.check("sample-size-1", unreached);
    }

    /** The same queries at the same places as those of eval --content-fixed. */
    @Test
    void aDiagnosisIsAPilot() throws IOException {
        String what = "--model bm25+chunked:window=32 --dataset demo ";
        Path diagnosed = temp.resolve("diagnosed");
        Path evaluated = temp.resolve("evaluated");
        Cli.run("diagnose position " + what + "--n 60 --draws 100 --out", diagnosed)
                .ok();
        Cli.run("eval " + what + "--content-fixed 60 --draws 100 --results", evaluated)
                .ok();
        Path model = diagnosed.resolve("bm25+chunked-window-32");
        String plan = Cli.run("plan --pilot " + model + " --loss 20% --simulations 100 --format json")
                .ok()
                .out();
        SchemaCheck.check("sample-size-1", plan);
        assertThat(Cli.run("plan --pilot " + evaluated.resolve("demo/bm25+chunked-window-32")
                                + " --loss 20% --simulations 100 --format json")
                        .ok()
                        .out())
                .isEqualTo(plan);
        Cli.run("plan --pilot " + model + " --pilot " + after + " --loss 20%").fails(2, model.toString(), "eval");
        Cli.run("plan --pilot " + model + " --pilot " + model + " --difference 2%")
                .fails(2, model.toString(), "eval");
        Cli.run("plan --pilot " + model + " --pilot " + model + " --loss 20% --fail-on loss>+1%")
                .fails(2, model.toString(), "eval");
        Cli.run("plan --pilot " + diagnosed + " --loss 20%").fails(2, diagnosed.toString());
        Files.writeString(
                model.resolve("scores.csv"),
                Files.readString(model.resolve("scores.csv")).lines().limit(101).collect(Collectors.joining("\n"))
                        + "\n");
        Cli.run("plan --pilot " + model + " --loss 20%").fails(1, "scores.csv", "--overwrite");
    }
}
