package io.posbias.study.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.posbias.study.probe.ItemScorer.ScoredItem;
import io.posbias.study.probe.ProbeResult.GridCell;
import io.posbias.study.probe.redocred.RedocredProbes;
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
        return new ScoredItem(
                new ProbeItem(RedocredProbes.type(probe), id, "?", "a", second == null ? null : "b", tags),
                first,
                second);
    }

    /** A sum of floats in another order: without the rule these differences would have t = -4.1. */
    @Test
    void scoresThatDifferByRoundingAreEqual() {
        double[] noise = {-1e-7, -1.5e-7, -1e-7, -0.2e-7, -1.2e-7};
        List<ScoredItem> items = new ArrayList<>();
        for (int i = 0; i < noise.length; i++) {
            items.add(new ScoredItem(
                    new ProbeItem(ProbeType.pairs("p"), "q" + i, "q", "a", "b", Map.of()), 0.5 + noise[i], 0.5));
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
                .hasMessage("literal lacks the score SL of a query");
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

    /** In any order: own 3, 4, 5 and other 2, 2, 2. */
    @Test
    void aTextIsComparedUnderItsTwoQuestions() {
        List<ScoredItem> items = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            boolean own = i != 1;
            items.add(scored("relation", "q" + i, Map.of("asks", own ? "own" : "other"), own ? 3 + i : 2, null));
            items.add(scored("relation", "q" + i, Map.of("asks", own ? "other" : "own"), own ? 2 : 3 + i, null));
        }
        assertThat(ProbeResult.of(items, 0.95).tests()).singleElement().satisfies(test -> {
            assertThat(test.n()).isEqualTo(3);
            assertThat(test.firstMean()).isEqualTo(4);
            assertThat(test.secondMean()).isEqualTo(2);
            assertThat(test.higher()).isEqualTo(3);
        });
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
                        new GridCell("1", "131-160", 2, 3.5),
                        new GridCell("1", "161-190", 1, 2),
                        new GridCell("4-10", "131-160", 1, 1));
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
        refused("7", "1: not a JSON object");
        refused("[]", "holds no pair");
        refused("", "holds no pair");
        refused(item("probe", "\" \"", "{}"), "1: field \"probe\" is empty");
        refused(item("probe", "\"mine\"", "[1]"), "1: field \"tags\" is a list of 1; it must be a record");
        refused(item("probe", "\"mine\"", "{\"a\": [1]}"), "1: field \"tags.a\" is a list; a tag is");
        refused(item("probe", "\"mine\"", "{\"a\": {\"b\": 1}}"), "1: field \"tags.a\" is a record; a tag is");
    }

    private static String item(String name, String value, String tags) {
        return "{\"id\": \"a\", \"query\": \"q\", \"text1\": \"t\", \"text2\": \"u\", \"" + name + "\": " + value
                + ", \"tags\": " + tags + "}\n";
    }

    private static String moving(String id, String position) {
        return item("probe", "\"moving\"", "{\"position\": " + position + "}").replace("\"a\"", "\"" + id + "\"");
    }

    @Test
    void tagsAreWordsAndWhatIsNullIsNotThere() throws IOException {
        Path file = Files.writeString(
                temp.resolve("mine.jsonl"),
                item("probe", "\"mine\"", "{\"a\": 2.0, \"b\": 1.5, \"c\": null, \"d\": true, \"e\": \"2.0\"}"));
        assertThat(ProbeItem.read(file, "mine", RedocredProbes::type).getFirst().tags())
                .isEqualTo(Map.of("a", "2", "b", "1.5", "d", "true", "e", "2.0"));
    }

    @Test
    void placesOfMovingAreWholeNumbersWithTheFirstAmongThem() throws IOException {
        Path file = Files.writeString(temp.resolve("moving.jsonl"), moving("a", "1.0") + moving("a", "2"));
        assertThat(ProbeItem.read(file, "moving", RedocredProbes::type))
                .allSatisfy(item -> assertThat(item.text2()).isNull())
                .extracting(item -> item.tag("position"))
                .containsExactly("1", "2");
        refused(item("probe", "\"moving\"", "{}"), "1: field \"tags.position\" is missing");
        refused(moving("a", "\"first\""), "1: field \"tags.position\" is \"first\"; it must be a whole number");
        refused(moving("a", "1.5"), "1: field \"tags.position\" is 1.5; it must be a whole number");
        refused(moving("a", "99999999999"), "it must be a whole number");
        refused(moving("a", "0"), "1: field \"tags.position\" is 0; places are counted from 1");
        refused(moving("a", "1") + moving("a", "1"), "2: field \"id\" is \"a\" a second time with place 1");
        refused(moving("a", "1") + moving("b", "2"), "holds no query of moving with place 1 and another");
    }

    @Test
    void aPlaceThatNoQueryHasBesideTheFirstIsNotTested() {
        List<ScoredItem> items = List.of(
                scored("moving", "a", Map.of("position", "1"), 1, null),
                scored("moving", "a", Map.of("position", "2"), 1, null),
                scored("moving", "b", Map.of("position", "3"), 1, null));
        assertThat(ProbeResult.of(items, 0.95).tests())
                .extracting(PairTest::comparison)
                .containsExactly("2 - 1");
    }

    private static String literal(String query, String first, String second) {
        return item(
                "probe",
                "\"literal\"",
                "{\"query_name\": \"" + query + "\", \"name1\": \"" + first + "\", \"name2\": \"" + second + "\"}");
    }

    @Test
    void literalNeedsFourScoresOfAQueryOnceEach() throws IOException {
        String longQuery = literal("long", "long", "short");
        String shortQuery = literal("short", "short", "long");
        Path file = Files.writeString(temp.resolve("literal.jsonl"), longQuery + shortQuery);
        assertThat(ProbeItem.read(file, "literal", RedocredProbes::type)).hasSize(2);
        refused(
                longQuery,
                "1: field \"id\" is \"a\", without the short name in the query and the long one in the text");
        refused(
                longQuery + shortQuery + shortQuery,
                "3: field \"id\" is \"a\" a second time with the short name in the query and the short one");
        refused(literal("long", "long", "medium"), "1: field \"tags.name2\" is \"medium\"; it is one of long, short");
        refused(item("probe", "\"literal\"", "{}"), "1: field \"tags.query_name\" is missing");
    }

    @Test
    void relationNeedsTwoQuestionsOfATextOnceEach() throws IOException {
        String own = item("probe", "\"relation\"", "{\"asks\": \"own\"}");
        refused(own, "1: field \"id\" has one question");
        refused(own + own, "2: field \"id\" is \"a\" a second time");
        refused(own.replace("own", "mine"), "1: field \"tags.asks\" is \"mine\"; it is one of own, other");
        Path file = Files.writeString(temp.resolve("relation.jsonl"), own + own.replace("own", "other"));
        assertThat(ProbeItem.read(file, "relation", RedocredProbes::type)).hasSize(2);
    }

    @Test
    void theGridNeedsBands() throws IOException {
        refused(item("probe", "\"grid\"", "{\"heads_band\": 1}"), "1: field \"tags.words_band\" is missing");
        refused(
                item("probe", "\"grid\"", "{\"heads_band\": \"many\", \"words_band\": \"131-160\"}"),
                "1: field \"tags.heads_band\" is \"many\"; a band is a whole number or two");
        Path file = Files.writeString(
                temp.resolve("grid.jsonl"),
                item("probe", "\"grid\"", "{\"heads_band\": 1, \"words_band\": \"131-160\"}"));
        assertThat(ProbeItem.read(file, "grid", RedocredProbes::type).getFirst().tag("heads_band"))
                .isEqualTo("1");
    }

    private void refused(String line, String reason) throws IOException {
        Path file = Files.writeString(temp.resolve("bad.jsonl"), line);
        assertThatThrownBy(() -> ProbeItem.read(file, "bad", RedocredProbes::type))
                .hasMessageContaining(reason);
    }
}
