package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.model.encode.StandInRerankers;
import io.posbias.model.encode.StandInTokenizers;
import io.posbias.score.measure.PoolRecall;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFileTest;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cross-encoder that counts common words, behind a first stage that puts the wrong passages first. */
@Timeout(120)
class RerankTest {
    private static final double RECALL = 11.0 / 12;

    /** For each of 11 queries three passages; for the last one the two that are wrong. */
    private static final double PAIRS = 35;

    @TempDir
    Path temp;

    private Path dataset = Path.of("");
    private Path bad = Path.of("");

    @BeforeEach
    void write() throws IOException {
        dataset = TwoWordBenchmark.write(temp.resolve("data"));
        bad = TwoWordBenchmark.badFirstStage(temp);
    }

    private static WordTokenizer tokenizer() {
        return WordTokenizer.of(TwoWordBenchmark.words());
    }

    private Path recipe(String name, int outputs, String settings) throws IOException {
        return StandInRerankers.write(
                temp.resolve(name),
                name,
                StandInRerankers.overlap(tokenizer().size(), outputs),
                tokenizer().toJson(),
                "kind: cross-encoder\nfamily: reranker\n" + settings);
    }

    private String behindBad() {
        return "max-tokens: 64\nfirst-stage: " + bad + "\n";
    }

    private Cli.Ended eval(Path recipe, String out, Object... more) {
        return Cli.run(
                "eval --model",
                recipe,
                "--dataset",
                dataset,
                "--draws 0 --out",
                temp.resolve(out),
                "--no-cache --width 200",
                more);
    }

    private Result result(String out) throws IOException {
        Path file = temp.resolve(out).resolve("result.json");
        assertThat(ResultFileTest.violations(Files.readString(file))).isEmpty();
        return ResultFile.read(file).getFirst();
    }

    private Result sound(Path recipe, String out, Object... more) throws IOException {
        eval(recipe, out, more).ok();
        return result(out);
    }

    private static double mean(Result result) {
        return Objects.requireNonNull(result.profiles().getFirst().queryMean());
    }

    private static PoolRecall pool(Result result) {
        PoolRecall pool = result.retrieval().firstStage();
        assertThat(pool).isNotNull();
        return Objects.requireNonNull(pool);
    }

    @Test
    void whatTheFirstStageFoundIsPutInABetterOrder() throws IOException {
        assertThat(mean(sound(bad, "alone"))).isCloseTo(RECALL / 2, within(1e-9));
        Result result = sound(recipe("cross", 1, behindBad()), "out");
        assertThat(mean(result)).isCloseTo(RECALL, within(1e-9));
        Map<String, Double> scores = RunFile.read(temp.resolve("out")).getOrDefault("q13", Map.of());
        assertThat(scores)
                .containsEntry("gold13", 2.0)
                .containsEntry("a13", 1.0)
                .containsEntry("b13", 1.0);
        assertThat(scores.keySet().iterator().next()).isEqualTo("gold13");
    }

    private void isTheSame(String live, String stored) throws IOException {
        assertThat(RunFile.read(temp.resolve(stored))).isEqualTo(RunFile.read(temp.resolve(live)));
        Result one = result(live);
        Result other = result(stored);
        assertThat(other.profiles()).isEqualTo(one.profiles());
        assertThat(other.queries()).isEqualTo(one.queries());
        assertThat(pool(other).recall()).isEqualTo(pool(one).recall());
    }

    @Test
    void aStoredFirstStageGivesTheNumbersOfTheLiveOne() throws IOException {
        eval(bad, "alone").ok();
        Path run = Files.copy(temp.resolve("alone/run.trec.gz"), temp.resolve("bad.trec.gz"));
        sound(recipe("cross", 1, behindBad()), "live");
        Path other = recipe("cross", 1, "max-tokens: 64\n");
        sound(other, "stored", "--first-stage", run);
        isTheSame("live", "stored");
        assertThat(pool(result("stored")).model()).isEqualTo("bad");
        Path field = recipe("cross", 1, "max-tokens: 64\nfirst-stage: {run: ../bad.trec.gz}\n");
        sound(field, "field");
        isTheSame("live", "field");
        assertThat(result("field").provenance().recipeSha256())
                .isEqualTo(result("stored").provenance().recipeSha256());
        assertThat(eval(field, "stored").ok().err()).contains("finished before");
        for (String stage : List.of(bad.toString(), run.toString())) {
            Cli.run(
                            "mitigate --no-cache --draws 0 --strategies chunked:window=2 --model",
                            other,
                            "--dataset",
                            dataset,
                            "--first-stage",
                            stage,
                            "--results",
                            temp.resolve(stage.equals(run.toString()) ? "m-stored" : "m-live"))
                    .ok();
        }
        for (String model : List.of("cross", "cross+chunked-window-2")) {
            String cell = result(temp.resolve("m-live"), model);
            isTheSame("m-live/" + cell, "m-stored/" + cell);
        }
        Files.copy(temp.resolve("live/run.trec.gz"), run, StandardCopyOption.REPLACE_EXISTING);
        eval(field, "field").fails(1, "other", "--overwrite");
        eval(other, "none", "--first-stage", temp.resolve("gone.trec")).fails(1, "gone.trec");
    }

    private static String result(Path results, String model) throws IOException {
        try (Stream<Path> files = Files.walk(results)) {
            return results.relativize(files.filter(file -> file.endsWith(model) && Files.isDirectory(file))
                            .sorted()
                            .toList()
                            .getFirst())
                    .toString();
        }
    }

    @Test
    void whatTheFirstStageMissedScoresZeroAndIsCounted() throws IOException {
        Path recipe = recipe("cross", 1, behindBad());
        Cli.Ended ended = eval(recipe, "out");
        assertThat(pool(result("out")))
                .isEqualTo(new PoolRecall(
                        "bad",
                        100,
                        RECALL,
                        List.of(
                                new PoolRecall.Bucket("0-20%", 0),
                                new PoolRecall.Bucket("20-40%", 1),
                                new PoolRecall.Bucket("40-60%", 0),
                                new PoolRecall.Bucket("60-80%", 0),
                                new PoolRecall.Bucket("80-100%", 0))));
        assertThat(ended.out().lines())
                .anyMatch(line -> line.matches("  missed by bad +0 +1 +0 +0 +0 *"))
                .anyMatch(line -> line.matches("cross .* 100 of bad; first_stage_recall 91.67%, .*"));
        assertThat(ended.out().lines())
                .anyMatch(line -> line.matches("cross +100.0† +66.7† +100.0† +100.0† +100.0† .*"));
    }

    @Test
    void firstStageAndDepthCanBeSetForOneRun() throws IOException {
        Path recipe = recipe("cross", 1, behindBad());
        Result shallow = sound(recipe, "shallow", "--depth 2");
        assertThat(pool(shallow).depth()).isEqualTo(2);
        assertThat(pool(shallow).recall()).isZero();
        assertThat(mean(shallow)).isZero();
        assertThat(RunFile.read(temp.resolve("shallow")).values()).allMatch(scores -> scores.size() <= 2);
        Result other = sound(recipe, "other", "--first-stage bm25");
        assertThat(pool(other).model()).isEqualTo("bm25");
        assertThat(mean(other)).isCloseTo(RECALL, within(1e-9));
    }

    @Test
    void logitsCanBecomeProbabilities() throws IOException {
        sound(recipe("cross", 1, behindBad() + "activation: sigmoid\n"), "out");
        Map<String, Double> scores = RunFile.read(temp.resolve("out")).getOrDefault("q13", Map.of());
        assertThat(scores.getOrDefault("gold13", 0.0)).isCloseTo(1 / (1 + Math.exp(-2)), within(1e-6));
        assertThat(scores.getOrDefault("a13", 0.0)).isCloseTo(1 / (1 + Math.exp(-1)), within(1e-6));
    }

    /** 20 tokens are 15 words of a passage: the evidence of the third fifth ends past them, of the last two begins so. */
    @Test
    void whatWasCutIsCountedByPairs() throws IOException {
        Result result = sound(recipe("cross", 1, "max-tokens: 20\nfirst-stage: " + bad + "\n"), "out");
        assertThat(result.retrieval().truncations())
                .containsExactly(new Truncation(
                        "cross",
                        20,
                        "pairs",
                        (long) PAIRS,
                        11,
                        0,
                        true,
                        4,
                        6,
                        List.of(
                                new Truncation.Bucket("0-20%", 0, 0),
                                new Truncation.Bucket("20-40%", 0, 0),
                                new Truncation.Bucket("40-60%", 0, 2),
                                new Truncation.Bucket("60-80%", 2, 2),
                                new Truncation.Bucket("80-100%", 2, 2))));
    }

    @Test
    void aFirstStageThatHasOneItselfIsRefused() throws IOException {
        Path inner = recipe("inner", 1, "max-tokens: 64\n");
        Path explicit = recipe("explicit", 1, behindBad());
        for (Path first : List.of(inner, explicit)) {
            Path outer = recipe("outer", 1, "max-tokens: 64\nfirst-stage: " + first + "\n");
            Cli.Ended ended = eval(outer, "none");
            assertThat(ended.code()).isNotZero();
            assertThat(ended.err()).contains("a first stage cannot have one itself");
            assertThat(temp.resolve("none")).doesNotExist();
        }
    }

    @Test
    void aGraphWithTwoLogitsFailsTheRunAndNamesTheQueries() throws IOException {
        eval(recipe("wide", 2, behindBad()), "none").fails(1, "query q10 and query q21", "one logit", "2");
        assertThat(temp.resolve("none")).doesNotExist();
    }

    @Test
    void whatWasScoredOnceIsNotScoredAgain() throws IOException {
        Posbias posbias = new Posbias(temp, Map.of());
        Path recipe = recipe("cross", 1, behindBad());
        Object[] command = {
            "eval --model", recipe, "--dataset", dataset, "--draws 0 --out", temp.resolve("out"), "--overwrite"
        };
        posbias.run(command).ok();
        assertThat(result("out").retrieval().usage())
                .containsEntry("pairs_scored", PAIRS)
                .containsEntry("pairs_from_cache", 0.0);
        byte[] run = Files.readAllBytes(temp.resolve("out/run.trec.gz"));
        posbias.run(command).ok();
        assertThat(result("out").retrieval().usage())
                .containsEntry("pairs_scored", 0.0)
                .containsEntry("pairs_from_cache", PAIRS);
        assertThat(temp.resolve("out/run.trec.gz")).hasBinaryContent(run);
    }

    /** A language model to which the short passages' words say no and the others yes. */
    @Test
    void aLanguageModelReranksTheSameWay() throws IOException {
        WordTokenizer tokenizer = tokenizer();
        float[] table = new float[2 * tokenizer.size()];
        // The last 30 words are the long passages' fillers.
        for (int id = tokenizer.size() - 30; id < tokenizer.size(); id++) {
            table[2 * id + 1] = 0.1f;
        }
        Path recipe = StandInRerankers.write(
                temp.resolve("causal"),
                "causal",
                StandInRerankers.causal(StandInRerankers.Logits.LAST, 2, table),
                StandInTokenizers.bare(TwoWordBenchmark.words()),
                "kind: causal-reranker\nfamily: reranker\nmax-tokens: 21\nfirst-stage: " + bad
                        + "\nprefix: \"f10\"\nquery-template: \"{query} {document}\"\nsuffix: \"f10 f10\"\n"
                        + "\"yes\": f10\n\"no\": x10\n");
        Result result = sound(recipe, "out");
        assertThat(mean(result)).isCloseTo(RECALL, within(1e-9));
        Truncation truncation = result.retrieval().truncations().getFirst();
        // 21 tokens less 3 around and 2 of the query are 16 words; the third fifth's evidence just fits.
        assertThat(truncation.cut()).isEqualTo(11);
        assertThat(truncation.startsPast()).isEqualTo(4);
        assertThat(truncation.endsPast()).isEqualTo(4);
        assertThat(truncation.unit()).isEqualTo("pairs");
        Map<String, Double> scores = RunFile.read(temp.resolve("out")).getOrDefault("q14", Map.of());
        // 3 fillers around the texts, and 16 in what is seen of the passage.
        assertThat(scores.getOrDefault("gold14", 0.0)).isCloseTo(1 / (1 + Math.exp(-1.9)), within(1e-5));
        assertThat(scores.getOrDefault("a14", 0.0)).isCloseTo(1 / (1 + Math.exp(-0.3)), within(1e-5));
    }

    /** ONNX Runtime 1.29 searches it recursively: at a few thousand characters a usual stack overflows. */
    @Tag("slow")
    @Test
    void aLongCommandLineDoesNoHarm() throws IOException, InterruptedException {
        String here = "/.".repeat(1_800);
        Child.run(
                        temp,
                        Map.of(),
                        "eval --model",
                        recipe("cross", 1, behindBad()),
                        "--dataset",
                        dataset + here,
                        "--draws 0 --out",
                        temp + here + "/out")
                .ok();
    }
}
