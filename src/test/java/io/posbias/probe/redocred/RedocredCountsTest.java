package io.posbias.probe.redocred;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.SharedData;
import io.posbias.probe.PairTest;
import io.posbias.probe.Spaces;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
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
        QuestionTemplates templates = name.endsWith("51") ? QuestionTemplates.PAPER : QuestionTemplates.ALL;
        return POOLS.computeIfAbsent(
                name,
                made -> made.startsWith("A")
                        ? Redocred.withDuplicates(templates)
                        : Redocred.withoutDuplicates(templates));
    }

    @AfterAll
    static void clear() {
        POOLS.clear();
    }

    private static List<Integer> steps(String probe, String pool, PaperVariant profile) {
        QueryPool queries = pool(pool);
        return List.copyOf(RedocredProbes.of(probe, queries, profile)
                .select(queries)
                .steps()
                .values());
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

    /** The steps from the right: what is not in the specification's table is not tested. */
    @ParameterizedTest
    @CsvSource({
        "position,   A, 3985 2121 2015 643", "position,   B, 3347 1971 1872 619",
        "moving,     A, 3985 2121 713 385", "moving,     B, 3347 1971 669 369",
        "brevity,    A, 3985 2121 2121 675", "brevity,    B, 3347 1971 1971 650",
        "literal,    A, 6944 1611 543", "literal,    B, 5961 1498 521",
        "repetition, A, 3427 787 355", "repetition, B, 3191 740 337",
        "answer,     A, 6944 908 592 520", "answer,     B, 5961 744 505 449",
        "grid,       A, 14173", "grid,       B, 12194",
        "foil,       A, 514", "foil,       B, 444",
        "position,   A51, 574", "position,   B51, 552",
        "moving,     A51, 323", "moving,     B51, 308",
        "brevity,    A51, 603", "brevity,    B51, 580",
        "literal,    A51, 518", "literal,    B51, 496",
        "repetition, A51, 335", "repetition, B51, 322",
        "answer,     A51, 486", "answer,     B51, 422",
    })
    void compatHasTheCandidatesOfTheNotebooksRules(String probe, String pool, String expected) {
        assertThat(steps(probe, pool, PaperVariant.COMPAT)).endsWith(numbers(expected));
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
    void strictHasTheCandidatesOfThePapersFormulas(String probe, String pool, String expected) {
        assertThat(steps(probe, pool, PaperVariant.STRICT)).endsWith(numbers(expected));
    }

    private static Integer[] numbers(String text) {
        return List.of(text.split(" ", -1)).stream().map(Integer::valueOf).toArray(Integer[]::new);
    }

    @ParameterizedTest
    @CsvSource({"A, 947, 509", "B, 931, 485", "A51, 926, 459", "B51, 907, 435"})
    void strictCandidatesComeFromSoManyArticles(String pool, int base, int free) {
        assertThat(titles(pool(pool), ProbeQuery::evidenceMentionsBoth)).isEqualTo(base);
        assertThat(titles(
                        pool(pool),
                        query -> query.evidenceMentionsBoth() && query.singleRelation() && query.restIsFree()))
                .isEqualTo(free);
    }

    /** With the paper's cap of two queries of an article, the moving probe has too few: why STRICT lifts it. */
    @ParameterizedTest
    @CsvSource({"A, 257", "B, 244", "A51, 219", "B51, 207"})
    void twoOfAnArticleWouldNotSufficeForMoving(String pool, int expected) {
        QueryPool queries = pool(pool);
        Selection moving = RedocredProbes.of("moving", queries, PaperVariant.STRICT)
                .select(queries)
                .lastPerTitle(2);
        assertThat(moving.queries()).hasSize(expected);
    }

    @ParameterizedTest
    @CsvSource({"A, 48, 32", "B, 44, 28"})
    void compatRepetitionUsesSentencesTwiceAndLeadsWithoutTheEvidence(String pool, int twice, int notEvidence) {
        List<Map<String, Object>> records = records("repetition", pool);
        assertThat(records).filteredOn(record -> repeats(record)).hasSize(twice);
        assertThat(records)
                .filteredOn(record -> !sentences(record).getFirst().equals(evidence(record)))
                .hasSize(notEvidence);
    }

    private static boolean repeats(Map<String, Object> record) {
        return new TreeSet<>(sentences(record)).size() < sentences(record).size();
    }

    @ParameterizedTest
    @CsvSource({"A, 142, 493", "B, 121, 429"})
    void compatAnswerLeavesTheHeadInTheRest(String pool, int headInRest, int tailInEvidence) {
        QueryPool queries = pool(pool);
        AnswerSentences sentences = new AnswerSentences(PaperVariant.COMPAT);
        List<ProbeQuery> candidates =
                AnswerProbe.of(PaperVariant.COMPAT).select(queries).queries();
        assertThat(candidates)
                .filteredOn(query -> sentences.rest(query).stream().anyMatch(query.head()::isMentionedIn))
                .hasSize(headInRest);
        assertThat(candidates)
                .filteredOn(query -> query.tail().isMentionedIn(query.evidence()))
                .hasSize(tailInEvidence);
    }

    @ParameterizedTest
    @CsvSource({"A, 974", "B, 971"})
    void articlesThatCanBeDonors(String pool, int expected) {
        assertThat(new Donors(pool(pool), PaperVariant.COMPAT).size()).isEqualTo(expected);
    }

    @Test
    void everyFoilQueryHasManyDonors() {
        QueryPool pool = pool("B");
        Donors donors = new Donors(pool, PaperVariant.COMPAT);
        List<Integer> sizes = RedocredProbes.of("foil", pool, PaperVariant.COMPAT).select(pool).queries().stream()
                .map(query -> donors.of(query).size())
                .sorted()
                .toList();
        assertThat(sizes.get(sizes.size() / 2)).isEqualTo(291);
        assertThat(sizes.getLast()).isEqualTo(466);
    }

    /** What the two texts of every pair must differ in, whatever the profile. */
    @ParameterizedTest
    @CsvSource({"STRICT", "COMPAT"})
    void noPairHasTheSameTextTwice(PaperVariant profile) {
        QueryPool pool = pool("B");
        for (String probe : Set.of("answer", "position", "literal", "brevity", "repetition", "foil", "poison")) {
            assertThat(Article.records(RedocredProbes.of(probe, pool, profile), pool))
                    .as(probe)
                    .isNotEmpty()
                    .allSatisfy(record -> assertThat(record.get("text1")).isNotEqualTo(record.get("text2")));
        }
    }

    /** Names as they stand in the file and as whole words; Maui and British Armed Forces were left before. */
    @ParameterizedTest
    @CsvSource({"STRICT", "COMPAT"})
    void noPoisonHoldsTheTrueAnswer(PaperVariant profile) {
        QueryPool pool = pool("B");
        Probe poison = RedocredProbes.of("poison", pool, profile);
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
    void strictRepetitionHasTextsOfOneLength() {
        QueryPool pool = pool("B51");
        Probe repetition = RedocredProbes.of("repetition", pool, PaperVariant.STRICT);
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

    private static List<Map<String, Object>> records(String probe, String pool) {
        QueryPool queries = pool(pool);
        return Article.records(RedocredProbes.of(probe, queries, PaperVariant.COMPAT), queries);
    }

    private static @Nullable Object evidence(Map<String, Object> record) {
        return ((Map<?, ?>) record.getOrDefault("tags", Map.of())).get("evidence");
    }

    private static List<Integer> sentences(Map<String, Object> record) {
        List<Integer> sentences = new ArrayList<>();
        for (Object source : (List<?>) record.getOrDefault("sources1", List.of())) {
            sentences.add((Integer) ((Map<?, ?>) source).get("sentence"));
        }
        return sentences;
    }
}
