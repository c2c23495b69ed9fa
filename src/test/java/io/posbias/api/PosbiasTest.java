package io.posbias.api;

import static io.posbias.api.PositionAssertions.assertEquivalentPositions;
import static io.posbias.api.PositionAssertions.assertNoBiasDetected;
import static io.posbias.api.PositionAssertions.assertNoPositionBias;
import static io.posbias.api.PositionAssertions.assertNotWorseThan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.UsageException;
import io.posbias.cli.Cli;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class PosbiasTest {
    @TempDir
    Path temp;

    private EvaluationOptions options() {
        return EvaluationOptions.defaults().withHome(temp.resolve("home")).withDraws(500);
    }

    private Search shared(int characters) {
        Map<String, Set<String>> index = new HashMap<>();
        Posbias.passages(
                "demo", (id, text) -> index.put(id, words(text.substring(0, Math.min(characters, text.length())))));
        return (query, k) -> {
            Set<String> asked = words(query);
            List<Search.Hit> hits = new ArrayList<>();
            index.forEach((id, words) -> {
                long common = asked.stream().filter(words::contains).count();
                if (common > 0) {
                    hits.add(new Search.Hit(id, common));
                }
            });
            return hits;
        };
    }

    private static Set<String> words(String text) {
        return new HashSet<>(Arrays.asList(text.toLowerCase(Locale.ROOT).split("\\W+")));
    }

    private static JsonNode numbers(String json) throws IOException {
        ObjectNode result = (ObjectNode) Json.mapper().readTree(json).at("/results/0");
        result.remove(List.of("environment", "seconds", "effort", "files_sha256"));
        return result;
    }

    @Test
    void evaluatesAsTheCommandLineDoes() throws IOException {
        PositionReport report = Posbias.evaluate("bm25", "demo", options().withContentFixed(50));
        Cli.Ended ended = Cli.run(
                        "eval --model bm25 --dataset demo --draws 500 --content-fixed 50 --results",
                        temp.resolve("results"),
                        "--format json")
                .ok();
        assertThat(numbers(report.json())).isEqualTo(numbers(ended.out()));
        assertThat(report.isContentFixed()).isTrue();
        assertThat(report.buckets())
                .hasSize(5)
                .allSatisfy(bucket -> assertThat(bucket.queries()).isEqualTo(240));
        assertThat(report.toString()).contains("bm25 ", "0-20%").endsWith("\n");
    }

    @Test
    void aSearchThatFindsWhatBm25FindsGetsItsNumbers() throws IOException {
        PositionReport bm25 = Posbias.evaluate("bm25", "demo", options());
        bm25.write(temp.resolve("bm25"));
        Map<String, List<Search.Hit>> found = new HashMap<>();
        Map<String, String> ids = new HashMap<>();
        try (BufferedReader run = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(temp.resolve("bm25/run.trec.gz"))), StandardCharsets.UTF_8))) {
            run.lines()
                    .map(line -> line.split(" ", -1))
                    .forEach(row -> found.computeIfAbsent(row[0], query -> new ArrayList<>())
                            .addFirst(new Search.Hit(row[2], Double.parseDouble(row[4]))));
        }
        Cli.run("data build demo --out", temp.resolve("demo")).ok();
        for (String line : Files.readAllLines(temp.resolve("demo/queries.jsonl"))) {
            JsonNode query = Json.mapper().readTree(line);
            ids.put(query.at("/text").asString(), query.at("/_id").asString());
        }
        Search search = (query, k) -> {
            assertThat(k).isEqualTo(100);
            return found.getOrDefault(ids.get(query), List.of());
        };
        PositionReport report = Posbias.evaluate("mine", search, "demo", options());
        assertThat(Json.mapper().readTree(report.json()).at("/results/0/profiles"))
                .isEqualTo(Json.mapper().readTree(bm25.json()).at("/results/0/profiles"));
        assertThat(report.model()).isEqualTo("mine");
        assertNotWorseThan(temp.resolve("bm25"), Posbias.evaluate("bm25", search, "demo", options()));
    }

    @Test
    void aRankingCountsFromItsBest() {
        assertThat(Search.ranked(List.of("b", "a"))).containsExactly(new Search.Hit("b", 2), new Search.Hit("a", 1));
    }

    @Test
    void aSearchThatReadsTheBeginningAloneFails() {
        PositionReport biased = Posbias.evaluate("front", shared(150), "demo", options());
        assertThat(biased.verdict()).contains("open");
        assertThat(biased.psi().orElseThrow()).isGreaterThan(biased.noise95().orElseThrow());
        assertThatThrownBy(() -> assertNoBiasDetected(biased))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("front on demo: open: positions differ, by position or by content")
                .hasMessageContaining("80-100%");
        assertThatThrownBy(() -> assertNoPositionBias(biased)).isInstanceOf(AssertionError.class);
    }

    @Test
    void equivalenceNeedsTheWholeIntervalOfTheLossWithinTheMargin() {
        assertEquivalentPositions(Posbias.evaluate("bm25", "demo", options().withContentFixed(50)), 1e-9);
        Path refs = temp.resolve("refs");
        Cli.run("calibrate references --dataset demo --reference reference-primacy-0.5 --out", refs)
                .ok();
        PositionReport planted = Posbias.evaluate(
                refs.resolve("reference-primacy-0.5/recipe.yaml").toString(),
                "demo",
                options().withContentFixed(50));
        PositionReport.LossAtBack loss = planted.lossAtBack().orElseThrow();
        assertEquivalentPositions(planted, Math.max(loss.high(), -loss.low()));
        assertThat(loss.high()).isGreaterThan(0.02);
        for (double margin : List.of(0.02, Math.nextDown(loss.high()))) {
            assertThatThrownBy(() -> assertEquivalentPositions(planted, margin))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("loss at the back");
        }
        assertThatThrownBy(() -> assertEquivalentPositions(planted)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertEquivalentPositions(planted, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void equivalenceNeedsFixedContentAndEnoughClusters() {
        PositionReport plain = Posbias.evaluate("bm25", "demo", options());
        assertThatThrownBy(() -> assertEquivalentPositions(plain))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("withContentFixed");
        PositionReport few = Posbias.evaluate("bm25", "demo", options().withContentFixed(5));
        assertThat(few.verdict()).contains("too few");
        assertThatThrownBy(() -> assertEquivalentPositions(few)).isInstanceOf(AssertionError.class);
    }

    @Test
    void tooFewQueriesPassOneAssertionAndNotTheOther() throws IOException {
        Path few = temp.resolve("few");
        Cli.run("data sample demo --n 300 --out", few).ok();
        PositionReport undecided = Posbias.evaluate("bm25", few.toString(), options());
        assertThat(undecided.verdict()).contains("open");
        assertNoBiasDetected(undecided);
        assertThatThrownBy(() -> assertNoPositionBias(undecided))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("queries would find a loss");
    }

    @Test
    void aWorseSearchFailsAgainstItsBaseline() throws IOException {
        Posbias.evaluate("shop", shared(10_000), "demo", options()).write(temp.resolve("baseline"));
        PositionReport same = Posbias.evaluate("shop", shared(10_000), "demo", options());
        PositionReport worse = Posbias.evaluate("shop", shared(150), "demo", options());
        assertNotWorseThan(temp.resolve("baseline"), same);
        assertThatThrownBy(() -> assertNotWorseThan(temp.resolve("baseline"), worse))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("WORSE    psi of nDCG@10")
                .hasMessageContaining("FAIL: ");
        assertNotWorseThan(temp.resolve("baseline"), worse, "psi>+0.99");
        assertNotWorseThan(temp.resolve("baseline"), same, "any");
        assertThatThrownBy(() -> assertNotWorseThan(temp.resolve("baseline"), worse, "any"))
                .hasMessageContaining("CHANGED  ");
        assertThatThrownBy(() -> assertNotWorseThan(temp.resolve("none"), same))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("write one with report.write(Path)");
    }

    @Test
    void whatASearchMayNotGiveIsNamedWithItsQuery() {
        assertThatThrownBy(() -> found(new Search.Hit("nowhere", 1)))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining("passage \"nowhere\"");
        List<String> ids = new ArrayList<>();
        Posbias.passages("demo", (id, text) -> ids.add(id), options());
        assertThatThrownBy(() -> found(new Search.Hit(ids.getFirst(), Double.NaN)))
                .hasMessageContaining("score NaN");
        assertThatThrownBy(() -> found(new Search.Hit(ids.getFirst(), 2), new Search.Hit(ids.getFirst(), 1)))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> Posbias.evaluate("a/b", (query, k) -> List.of(), "demo", options()))
                .isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> Posbias.evaluate(
                        "mine", (query, k) -> List.of(), "demo", options().withContentFixed(10)))
                .hasMessageContaining("content held fixed");
        assertThatThrownBy(() -> Posbias.evaluate("bm25", "demo", options().withDraws(0)))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("draws and threads must be at least 1");
        assertThatThrownBy(() -> Posbias.evaluate("bm52", "demo", options())).hasMessageContaining("bm25");
    }

    private PositionReport found(Search.Hit... hits) {
        return Posbias.evaluate("mine", (query, k) -> List.of(hits), "demo", options());
    }
}
