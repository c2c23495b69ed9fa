package io.posbias.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProbeResultTest {
    @TempDir
    Path temp;

    private static ScoredItem scored(
            String probe, String id, Map<String, String> tags, double first, @Nullable Double second) {
        return new ScoredItem(new ProbeItem(probe, id, "?", "a", second == null ? null : "b", tags), first, second);
    }

    /** A sum of floats in another order: without the rule these differences would have t = -4.1. */
    @Test
    void scoresThatDifferByRoundingAreEqual() {
        double[] noise = {-1e-7, -1.5e-7, -1e-7, -0.2e-7, -1.2e-7};
        List<ScoredItem> items = new ArrayList<>();
        for (int i = 0; i < noise.length; i++) {
            items.add(new ScoredItem(new ProbeItem("p", "q" + i, "q", "a", "b", Map.of()), 0.5 + noise[i], 0.5));
        }
        PairTest equal = ProbeResult.of(items, 0.95).tests().getFirst();
        assertThat(equal.ties()).isEqualTo(5);
        assertThat(equal.higher()).isZero();
        assertThat(equal.t()).isNull();
        assertThat(Objects.requireNonNull(equal.difference()).value()).isZero();
        // Ten times as far they are differences; so they are where all scores are that small.
        List<ScoredItem> farther = items.stream()
                .map(item -> new ScoredItem(item.item(), 0.5 + 10 * (item.score1() - 0.5), 0.5))
                .toList();
        assertThat(ProbeResult.of(farther, 0.95).tests().getFirst().ties()).isEqualTo(1);
        List<ScoredItem> small = items.stream()
                .map(item -> new ScoredItem(item.item(), item.score1() - 0.5, 0.0))
                .toList();
        assertThat(ProbeResult.of(small, 0.95).tests().getFirst().ties()).isZero();
    }

    /** scipy.stats.ttest_rel([3, 5, 2, 4], [1, 4, 2, 1]): t 2.32379..., p 0.10273... */
    @Test
    void pairsAreTestedByT() {
        double[] first = {3, 5, 2, 4};
        double[] second = {1, 4, 2, 1};
        List<ScoredItem> items = new ArrayList<>();
        for (int i = 0; i < first.length; i++) {
            items.add(scored("mine", "q" + i, Map.of(), first[i], second[i]));
        }
        PairTest test = ProbeResult.of(items, 0.95).tests().getFirst();
        assertThat(test.n()).isEqualTo(4);
        assertThat(Objects.requireNonNull(test.difference()).value()).isEqualTo(1.5);
        assertThat(Objects.requireNonNull(test.t())).isCloseTo(2.32379000772445, within(1e-9));
        assertThat(test.difference().pValue()).isCloseTo(0.10272807885839899, within(1e-9));
        assertThat(test.higher()).isEqualTo(3);
        assertThat(test.ties()).isEqualTo(1);
        assertThat(test.share()).isEqualTo(0.75);
        assertThat(Objects.requireNonNull(test.effect())).isCloseTo(2.32379000772445 / 2, within(1e-9));
    }

    @Test
    void literalComparesFourScores() {
        List<ScoredItem> items = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            items.add(scored("literal", "q" + i, names("long", "long", "short"), 10 + i, 4.0));
            items.add(scored("literal", "q" + i, names("short", "short", "long"), 7, 1.0 + i));
        }
        List<PairTest> tests = ProbeResult.of(items, 0.95).tests();
        assertThat(tests)
                .extracting(PairTest::comparison)
                .containsExactly("LL - LS", "LL - SL", "LL - SS", "SS - LS", "SS - SL");
        // LL 11, LS 4, SS 7, SL 2 on average
        assertThat(tests)
                .extracting(test -> Objects.requireNonNull(test.difference()).value())
                .containsExactly(7.0, 9.0, 4.0, 3.0, 5.0);
        assertThatThrownBy(() -> ProbeResult.of(items.subList(0, 1), 0.95))
                .hasMessage("literal lacks the score of a short and a long name");
    }

    private static Map<String, String> names(String query, String first, String second) {
        return Map.of("query_name", query, "name1", first, "name2", second);
    }

    @Test
    void movingComparesEachPlaceWithTheFirstWhereAQueryHasBoth() {
        List<ScoredItem> items = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            for (int place = 1; place <= (i == 0 ? 2 : 3); place++) {
                items.add(scored(
                        "moving", "q" + i, Map.of("position", String.valueOf(place)), 10 - place - 0.1 * i, null));
            }
        }
        List<PairTest> tests = ProbeResult.of(items, 0.95).tests();
        assertThat(tests).extracting(PairTest::comparison).containsExactly("2 - 1", "3 - 1");
        assertThat(tests).extracting(PairTest::n).containsExactly(3, 2);
        assertThat(Objects.requireNonNull(tests.get(1).difference()).value()).isCloseTo(-2, within(1e-12));
    }

    @Test
    void theGridIsMeansByCell() {
        List<ScoredItem> items = List.of(
                scored("grid", "a", Map.of("heads_band", "4-10", "words_band", "131-160"), 1, null),
                scored("grid", "b", Map.of("heads_band", "1", "words_band", "161-190"), 2, null),
                scored("grid", "c", Map.of("heads_band", "1", "words_band", "131-160"), 3, null),
                scored("grid", "d", Map.of("heads_band", "1", "words_band", "131-160"), 4, null));
        ProbeResult result = ProbeResult.of(items, 0.95);
        assertThat(result.tests()).isEmpty();
        assertThat(result.grid())
                .containsExactly(
                        new ProbeResult.GridCell("1", "131-160", 2, 3.5),
                        new ProbeResult.GridCell("1", "161-190", 1, 2),
                        new ProbeResult.GridCell("4-10", "131-160", 1, 1));
    }

    @Test
    void equalScoresHaveNoT() {
        PairTest test = ProbeResult.of(
                        List.of(scored("p", "a", Map.of(), 1, 1.0), scored("p", "b", Map.of(), 2, 2.0)), 0.95)
                .tests()
                .getFirst();
        assertThat(test.t()).isNull();
        assertThat(Objects.requireNonNull(test.difference()).pValue()).isEqualTo(1);
        assertThat(test.share()).isZero();
    }

    @Test
    void badLinesAreNamed() throws IOException {
        refused("{\"id\": \"a\", \"query\": \"q\", \"text1\": \"t\"}", "1: field \"text2\" is missing");
        refused("{\"id\": \"a\", \"query\": \" \", \"text1\": \"t\", \"text2\": \"u\"}", "1: field \"query\" is empty");
        refused("[]", "1: not a JSON object");
        refused("", "holds no pair");
        Path file =
                Files.writeString(temp.resolve("moving.jsonl"), "{\"id\": 1, \"query\": \"q\", \"text1\": \"t\"}\n");
        assertThat(ProbeItem.read(file, "moving").getFirst().text2()).isNull();
    }

    private void refused(String line, String reason) throws IOException {
        Path file = Files.writeString(temp.resolve("bad.jsonl"), line);
        assertThatThrownBy(() -> ProbeItem.read(file, "bad")).hasMessageContaining(reason);
    }
}
