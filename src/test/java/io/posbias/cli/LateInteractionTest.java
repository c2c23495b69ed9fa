package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Json;
import io.posbias.model.encode.StandInRerankers;
import io.posbias.rank.SearchStat;
import io.posbias.score.measure.PoolRecall;
import io.posbias.score.measure.Truncation;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import io.posbias.score.result.ResultFileTest;
import io.posbias.study.calibrate.WordTokenizer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class LateInteractionTest {
    @TempDir
    Path temp;

    private Path dataset = Path.of("");

    @BeforeEach
    void write() {
        dataset = TwoWordBenchmark.write(temp.resolve("data"));
    }

    private Path recipe(String name, String settings) throws IOException {
        List<String> words = TwoWordBenchmark.words();
        return StandInRerankers.write(
                temp.resolve(name),
                name,
                StandInRerankers.tokens(words, TwoWordBenchmark.SYNONYMS),
                WordTokenizer.of(words).toJson(),
                "kind: late-interaction\nfamily: late-interaction\n" + settings);
    }

    private Result eval(Path recipe, String out, Object... more) throws IOException {
        List<Object> words = new ArrayList<>(
                List.of("eval --model", recipe, "--dataset", dataset, "--draws 0 --out", temp.resolve(out)));
        words.add("--no-cache");
        words.addAll(List.of(more));
        Cli.run(words.toArray()).ok();
        Path file = temp.resolve(out).resolve("result.json");
        assertThat(ResultFileTest.violations(Files.readString(file))).isEmpty();
        return ResultFile.read(file).getFirst();
    }

    private static double mean(Result result) {
        return Objects.requireNonNull(result.profiles().getFirst().queryMean());
    }

    @Test
    void theWholeCorpusIsSearched() throws IOException {
        Result result = eval(recipe("late", "max-tokens: 64\n"), "out");
        assertThat(mean(result)).isEqualTo(1);
        assertThat(result.retrieval().firstStage()).isNull();
        Map<String, Double> scores = RunFile.read(temp.resolve("out")).getOrDefault("q21", Map.of());
        assertThat(scores).hasSize(36);
        // [CLS], both words and [SEP] all find themselves.
        assertThat(scores.getOrDefault("gold21", 0.0)).isCloseTo(4, within(1e-5));
    }

    @Test
    void aFirstStageLimitsWhatIsScoredAndNothingElse() throws IOException {
        eval(recipe("late", "max-tokens: 64\n"), "all");
        Path bad = TwoWordBenchmark.badFirstStage(temp);
        Path second = recipe("second", "max-tokens: 64\ndepth: 3\nfirst-stage: " + bad + "\n");
        Result result = eval(second, "pool");
        assertThat(mean(result)).isCloseTo(11.0 / 12, within(1e-9));
        PoolRecall pool = Objects.requireNonNull(result.retrieval().firstStage());
        assertThat(pool.model()).isEqualTo("bad");
        assertThat(pool.depth()).isEqualTo(3);
        assertThat(pool.recall()).isEqualTo(11.0 / 12);
        Map<String, Map<String, Double>> all = RunFile.read(temp.resolve("all"));
        Map<String, Map<String, Double>> some = RunFile.read(temp.resolve("pool"));
        assertThat(some).hasSize(12);
        some.forEach((query, scores) -> {
            assertThat(scores.keySet()).allMatch(passage -> passage.endsWith(query.substring(1)));
            scores.forEach((passage, score) -> assertThat(score)
                    .isCloseTo(all.getOrDefault(query, Map.of()).getOrDefault(passage, 0.0), within(1e-5)));
        });
        assertThat(some.getOrDefault("q21", Map.of())).containsOnlyKeys("a21", "b21");
        Result shallow = eval(second, "shallow", "--depth 2");
        assertThat(mean(shallow)).isZero();
    }

    @Test
    void onlyPassagesThatWereReadAreCountedAsCut() throws IOException {
        Path bad = TwoWordBenchmark.badFirstStage(temp);
        String cut = "max-tokens: 17\nquery-length: 3\n";
        Truncation all =
                eval(recipe("late", cut), "all").retrieval().truncations().getFirst();
        assertThat(all.total()).isEqualTo(36);
        assertThat(all.cut()).isEqualTo(12);
        assertThat(all.queriesCut()).isEqualTo(12);
        assertThat(all.startsPast()).isEqualTo(4);
        Truncation pool = eval(recipe("second", cut + "first-stage: " + bad + "\n"), "pool")
                .retrieval()
                .truncations()
                .getFirst();
        assertThat(pool.total()).isEqualTo(35);
        assertThat(pool.cut()).isEqualTo(11);
    }

    /**
     * Of three passages two have 3 words and one has 32; to each text come [CLS] and [SEP]. Windows have 16 words, so that only
     * the long passage becomes two.
     */
    @Test
    void mitigateCountsTheVectorsOfTokensAndTheirBytes() throws IOException {
        double whole = (5 + 5 + 34) / 3.0;
        double windows = (5 + 5 + 18 + 18) / 3.0;
        Path late = recipe("late", "max-tokens: 64\ndimension: 16\n");
        Path half = recipe("half", "max-tokens: 64\ndrop-first: true\nvectors: float16\n");
        String chunked = "chunked:window=16:stride=16";
        assertSizes(
                mitigate(late, chunked, "fused", chunked + "+fused:with=" + half),
                new Size(whole, 64 * whole),
                new Size(windows, 64 * windows),
                new Size(whole, 64 * whole),
                new Size(windows + whole - 1, 64 * windows + 32 * (whole - 1)));
        assertSizes(
                mitigate(half, chunked),
                new Size(whole - 1, 32 * (whole - 1)),
                new Size(windows - 4 / 3.0, 32 * (windows - 4 / 3.0)));
    }

    /** A first stage has vectors of its own; here it counts words. */
    @Test
    void behindAFirstStageTheVectorsOfWhatItFoundAreCounted() throws IOException {
        Path bad = TwoWordBenchmark.badFirstStage(temp);
        Result result = eval(recipe("second", "max-tokens: 64\ndepth: 2\nfirst-stage: " + bad + "\n"), "pool");
        assertThat(result.retrieval().searchStats()).containsEntry(SearchStat.VECTORS.key(), 5.0);
        assertThat(result.retrieval().searchStats()).containsEntry(SearchStat.BYTES.key(), 5.0 * 64);
    }

    private JsonNode mitigate(Path recipe, String... strategies) {
        Cli.Ended ended = Cli.run(
                        "mitigate --model",
                        recipe,
                        "--dataset",
                        dataset,
                        "--strategies",
                        String.join(",", strategies),
                        "--draws 100 --results",
                        temp.resolve("results"),
                        "--format json")
                .ok();
        return Json.mapper().readTree(ended.out()).path("strategies");
    }

    private record Size(double vectors, double bytes) {}

    private static void assertSizes(JsonNode rows, Size... sizes) {
        assertThat(rows).hasSize(sizes.length);
        for (int i = 0; i < sizes.length; i++) {
            assertThat(rows.get(i).path("vectors_per_passage").asDouble()).isCloseTo(sizes[i].vectors(), within(1e-9));
            assertThat(rows.get(i).path("megabytes").asDouble()).isCloseTo(36 * sizes[i].bytes() / 1e6, within(1e-9));
        }
    }

    @Test
    void aDepthWithoutAFirstStageIsRefused() throws IOException {
        Path recipe = recipe("late", "max-tokens: 64\ndepth: 10\n");
        Cli.Ended ended = Cli.run("eval --model", recipe, "--dataset", dataset, "--out", temp.resolve("none"));
        assertThat(ended.err()).contains("\"depth\"", "first-stage");
        assertThat(ended.code()).isNotZero();
    }

    @Test
    void aBrokenModelFailsTheRunAndLeavesNoResult() throws IOException {
        List<String> words = TwoWordBenchmark.words();
        // Its table is too short for the words of the passages.
        Path recipe = StandInRerankers.write(
                temp.resolve("broken"),
                "broken",
                StandInRerankers.tokens(words.subList(0, 4), Map.of()),
                WordTokenizer.of(words).toJson(),
                "kind: late-interaction\nmax-tokens: 64\n");
        Cli.Ended ended =
                Cli.run("eval --model", recipe, "--dataset", dataset, "--no-cache --out", temp.resolve("none"));
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).startsWith("posbias: graph model.onnx ");
        assertThat(ended.err().lines()).hasSize(1);
        assertThat(temp.resolve("none")).doesNotExist();
    }

    @Test
    void aQueryOfWhichNothingIsLeftIsNamed() throws IOException {
        Path recipe = StandInRerankers.write(
                temp.resolve("bare"),
                "bare",
                StandInRerankers.tokens(TwoWordBenchmark.words(), Map.of()),
                io.posbias.model.encode.StandInTokenizers.bare(TwoWordBenchmark.words()),
                "kind: late-interaction\nmax-tokens: 64\ndrop-first: true\nquery-length: 1\n");
        Cli.Ended ended =
                Cli.run("eval --model", recipe, "--dataset", dataset, "--no-cache --out", temp.resolve("none"));
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err()).contains("q10");
        assertThat(temp.resolve("none")).doesNotExist();
    }
}
