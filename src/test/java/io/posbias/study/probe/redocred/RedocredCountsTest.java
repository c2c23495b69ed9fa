package io.posbias.study.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.SharedData;
import io.posbias.study.probe.PairTest;
import io.posbias.study.probe.Spaces;
import io.posbias.study.probe.redocred.FoilProbe.Donors;
import io.posbias.study.probe.redocred.QueryPool.Selection;
import io.posbias.study.probe.redocred.RedocredInput.RedocredCorpus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How many queries of Re-DocRED's dev and test files each step leaves, counted by an implementation that is not this
 * one (a Python reading of the paper and its notebooks). A is the pool with duplicates, B the one without.
 */
@Tag("slow")
class RedocredCountsTest {
    private static final Map<String, QueryPool> POOLS = new HashMap<>();

    private static QueryPool pool(String name) {
        return POOLS.computeIfAbsent(name, RedocredCountsTest::made);
    }

    /** 51: the questions of the paper's Table A.5, without the four that only its released pairs have. */
    private static QueryPool made(String name) {
        QuestionTemplates templates = name.endsWith("51") ? QuestionTemplates.PAPER : QuestionTemplates.ALL;
        QueryPool all =
                name.startsWith("A") ? Redocred.withDuplicates(templates) : Redocred.withoutDuplicates(templates);
        Set<String> released = Set.of("P22", "P118", "P166", "P206");
        return name.endsWith("51")
                ? new QueryPool(
                        all.documents(), all.selection().keep("51", query -> !released.contains(query.relation())))
                : all;
    }

    @AfterAll
    static void clear() {
        POOLS.clear();
    }

    private static List<Integer> steps(String probe, String pool) {
        QueryPool queries = pool(pool);
        return List.copyOf(
                RedocredProbes.of(probe, queries).select(queries).steps().values());
    }

    /** Only the test file asks; the dev file is searched for other answers to it. Counted in Python. */
    @Test
    void articlesThatAskNothingTakeQueriesAway() {
        List<RedocredDocument> test = RedocredReader.read(SharedData.file("redocred/test_revised.json"), "test");
        RedocredCorpus dev = RedocredCorpus.of(List.of(SharedData.file("redocred/dev_revised.json")), test);
        QueryPool pool = QueryPool.of(test, QuestionTemplates.ALL, false, dev);
        assertThat(pool.selection().steps().values()).containsExactly(16452, 14110, 6102, 6102);
    }

    private static long titles(QueryPool pool, Predicate<ProbeQuery> wanted) {
        return pool.queries().stream()
                .filter(wanted)
                .map(ProbeQuery::title)
                .distinct()
                .count();
    }

    @Test
    void thePoolsAreThoseOfTheSpecification() {
        assertThat(pool("A").selection().steps().values()).containsExactly(32793, 14212, 14212);
        assertThat(pool("B").selection().steps().values()).containsExactly(32793, 28223, 12228, 12228);
        assertThat(pool("A51").queries()).hasSize(12105);
        assertThat(pool("B51").queries()).hasSize(10374);
        assertThat(titles(pool("A"), query -> true)).isEqualTo(983);
        assertThat(titles(pool("B"), query -> true)).isEqualTo(980);
    }

    @ParameterizedTest
    @CsvSource({
        "position,   A, 6136 1333 1255 482", "position,   B, 5264 1223 1155 459",
        "position,   A51, 5340 1155 1090 435", "position,   B51, 4563 1068 1012 412",
        "moving,     A, 6136 1333 409", "moving,     B, 5264 1223 385",
        "moving,     A51, 5340 1155 353", "moving,     B51, 4563 1068 332",
        "brevity,    A, 1333 1333 509", "brevity,    B, 1223 1223 485",
        "brevity,    A51, 1155 1155 459", "brevity,    B51, 1068 1068 435",
        "repetition, A, 781 635 297", "repetition, B, 738 602 286",
        "repetition, A51, 671 546 284", "repetition, B51, 636 519 275",
        "answer,     A, 563 502", "answer,     B, 482 435",
        "answer,     A51, 521 468", "answer,     B51, 452 408",
        "foil,       A, 497", "foil,       B, 431",
        "foil,       A51, 463", "foil,       B51, 404",
        "literal,    A, 1404 530", "literal,    B, 1305 510",
        "literal,    A51, 1206 505", "literal,    B51, 1118 485",
    })
    void eachProbeHasTheCandidatesOfThePapersFormulas(String probe, String pool, String expected) {
        assertThat(steps(probe, pool)).endsWith(numbers(expected));
    }

    private static Integer[] numbers(String text) {
        return List.of(text.split(" ", -1)).stream().map(Integer::valueOf).toArray(Integer[]::new);
    }

    @ParameterizedTest
    @CsvSource({"A, 947, 509", "B, 931, 485", "A51, 926, 459", "B51, 907, 435"})
    void candidatesComeFromSoManyArticles(String pool, int base, int free) {
        assertThat(titles(pool(pool), ProbeQuery::evidenceMentionsBoth)).isEqualTo(base);
        assertThat(titles(
                        pool(pool),
                        query -> query.evidenceMentionsBoth() && query.singleRelation() && query.restIsFree()))
                .isEqualTo(free);
    }

    /** With the paper's cap of two queries of an article, the moving probe has too few: why it is lifted. */
    @ParameterizedTest
    @CsvSource({"A, 257", "B, 244", "A51, 219", "B51, 207"})
    void twoOfAnArticleWouldNotSufficeForMoving(String pool, int expected) {
        QueryPool queries = pool(pool);
        Selection moving = RedocredProbes.of("moving", queries).select(queries).lastPerTitle(2);
        assertThat(moving.queries()).hasSize(expected);
    }

    @ParameterizedTest
    @CsvSource({"A, 974", "B, 971"})
    void articlesThatCanBeDonors(String pool, int expected) {
        assertThat(new Donors(pool(pool)).size()).isEqualTo(expected);
    }

    @Test
    void noPairHasTheSameTextTwice() {
        QueryPool pool = pool("B");
        for (String probe : Set.of("answer", "position", "literal", "brevity", "repetition", "foil", "poison")) {
            assertThat(Article.records(RedocredProbes.of(probe, pool), pool))
                    .as(probe)
                    .isNotEmpty()
                    .allSatisfy(record -> assertThat(record.get("text1")).isNotEqualTo(record.get("text2")));
        }
    }

    /** Names as they stand in the file and as whole words; Maui and British Armed Forces were left before. */
    @Test
    void noPoisonHoldsTheTrueAnswer() {
        QueryPool pool = pool("B");
        Probe poison = RedocredProbes.of("poison", pool);
        List<ProbeQuery> chosen = poison.select(pool).queries();
        assertThat(chosen).hasSizeGreaterThan(400);
        for (ProbeQuery query : chosen) {
            for (ProbeRecord record : poison.records(query)) {
                assertThat(Spaces.folded(Objects.requireNonNull(record.text2())))
                        .as(query.id())
                        .doesNotContain(query.tail().names().stream()
                                .map(Spaces::folded)
                                .toArray(String[]::new));
            }
        }
    }

    /** Repetition adds mentions of the head, not words: the lengths of both texts differ by chance alone. */
    @Test
    void repetitionHasTextsOfOneLength() {
        QueryPool pool = pool("B51");
        Probe repetition = RedocredProbes.of("repetition", pool);
        List<ProbeRecord> records = ProbeSample.draw(RepetitionProbe.TYPE, repetition, pool, 250, 0).records().stream()
                .flatMap(List::stream)
                .toList();
        double[] first = words(records, ProbeRecord::text1);
        double[] second = words(records, record -> Objects.requireNonNull(record.text2()));
        PairTest test = PairTest.of(RepetitionProbe.TYPE, PairTest.PAIRS, first, second, 0.95);
        assertThat(test.n()).isEqualTo(250);
        assertThat(test.firstMean()).isCloseTo(73.544, within(1e-9));
        assertThat(test.secondMean()).isCloseTo(73.496, within(1e-9));
        assertThat(test.pValue()).isGreaterThan(0.5);
    }

    private static double[] words(List<ProbeRecord> records, Function<ProbeRecord, String> text) {
        return records.stream()
                .mapToDouble(record -> Spaces.words(text.apply(record)))
                .toArray();
    }
}
