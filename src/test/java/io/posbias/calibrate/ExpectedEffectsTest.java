package io.posbias.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.calibrate.ExpectedEffects.Effect;
import io.posbias.calibrate.ReferenceSpec.ReferenceKind;
import io.posbias.probe.PairTest;
import io.posbias.probe.ProbeItem;
import io.posbias.probe.ScoredItem;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The expected effects against references whose words are exactly orthogonal, as no vectors of 192 numbers are: reckoned
 * here word by word from their definition, with no graph, tokenizer or search.
 */
@Tag("slow")
class ExpectedEffectsTest {
    private static final List<ProbeItem> ITEMS = PlantedProbes.items(150, 7);

    static List<ReferenceSpec> references() {
        return ReferenceSpec.all();
    }

    @ParameterizedTest
    @MethodSource("references")
    void orthogonalWordsHaveEveryExpectedEffect(ReferenceSpec planted) {
        List<PairTest> tests = tests(planted);
        assertThat(tests)
                .hasSize(16)
                .allSatisfy(test -> assertThat(CalibrationChecks.holds(planted, test))
                        .as("%s: %s", planted, test)
                        .isTrue());
        assertThat(FoundStrength.of(planted, tests))
                .isCloseTo(planted.strength(), within(0.02 + planted.strength() / 20));
        // What is not foretold is little.
        List<String> open = tests.stream()
                .filter(test -> ExpectedEffects.of(planted, test.probe().name(), test.comparison()) == Effect.OPEN)
                .map(test -> test.probe().name())
                .toList();
        assertThat(open)
                .isEqualTo(
                        switch (planted.kind()) {
                            case LATE_PRIMACY -> List.of("poison");
                            case MAX_P -> List.of("moving", "moving", "moving");
                            default -> List.of();
                        });
    }

    /** By hand, of words that weigh alike: 3 / (sqrt(3) sqrt(10)) and 3 / (sqrt(3) sqrt(50)). */
    @Test
    void aSentenceAndFiveOfThemScoreAsByHand() {
        ReferenceSpec flat = new ReferenceSpec(ReferenceKind.FLAT, 0);
        assertThat(score(flat, "a b c", "a b c d e f g h i j")).isCloseTo(0.547723, within(1e-6));
        assertThat(score(new ReferenceSpec(ReferenceKind.SHORT, 0.5), "a b c", "a b c d e f g h i j"))
                .isCloseTo(0.547723, within(1e-6));
        assertThat(score(new ReferenceSpec(ReferenceKind.LATE_FLAT, 0), "a b c", "c c b x"))
                .isEqualTo(2);
        // Tokens: [CLS] a [SEP], so a is in the middle: exp(-1/2) each.
        assertThat(score(new ReferenceSpec(ReferenceKind.LATE_PRIMACY, 1), "a", "a"))
                .isCloseTo(Math.exp(-1), within(1e-12));
    }

    @Test
    void textsAreWhatProbesAreMadeOf() {
        for (ProbeItem item : ITEMS) {
            int first = WordTokenizer.words(item.text1()).size();
            String second = item.text2();
            int other = second == null ? 0 : WordTokenizer.words(second).size();
            String lengths = switch (item.probe().name()) {
                case "brevity" -> "10 50";
                case "foil" -> "130 12";
                case "poison" -> "130 22";
                case "repetition" -> "30 30";
                case "needle" -> "60 60";
                case "moving" -> "50 0";
                default -> "50 50";
            };
            assertThat(first + " " + other).as(item.probe().name()).isEqualTo(lengths);
        }
        ProbeItem needle = ITEMS.stream()
                .filter(item -> item.probe().name().equals("needle"))
                .findFirst()
                .orElseThrow();
        List<String> behind = WordTokenizer.words(needle.text1());
        List<String> before = WordTokenizer.words(String.valueOf(needle.text2()));
        assertThat(before.subList(10, 60)).isEqualTo(behind.subList(0, 50));
        assertThat(before.subList(0, 10)).isEqualTo(behind.subList(50, 60));
        assertThat(behind.subList(20, 30)).containsAll(WordTokenizer.words(needle.query()));
    }

    private static List<PairTest> tests(ReferenceSpec planted) {
        return FullCalibration.test(
                ITEMS.stream().map(item -> scored(planted, item)).toList());
    }

    private static ScoredItem scored(ReferenceSpec planted, ProbeItem item) {
        String second = item.text2();
        return new ScoredItem(
                item,
                score(planted, item.query(), item.text1()),
                second == null ? null : (Double) score(planted, item.query(), second));
    }

    private static double score(ReferenceSpec planted, String query, String text) {
        List<String> asked = WordTokenizer.words(query);
        List<String> words = WordTokenizer.words(text);
        return switch (planted.kind()) {
            case FLAT, PRIMACY, RECENCY, MIDDLE, LITERAL -> cosine(planted, asked, words);
            case MAX_P ->
                IntStream.rangeClosed(0, Math.max(0, words.size() - ReferenceEncoder.WINDOW))
                        .mapToDouble(from -> cosine(
                                planted,
                                asked,
                                words.subList(from, Math.min(words.size(), from + ReferenceEncoder.WINDOW))))
                        .max()
                        .orElseThrow();
            case NEUTRAL, SHORT, LONG ->
                product(sum(planted, asked), sum(planted, words))
                        * Math.pow((double) asked.size() * words.size(), -planted.brevity());
            case LATE_FLAT, LATE_PRIMACY, LATE_RECENCY -> {
                double total = 0;
                for (int i = 0; i < asked.size(); i++) {
                    double best = 0;
                    for (int j = 0; j < words.size(); j++) {
                        if (words.get(j).equals(asked.get(i))) {
                            best = Math.max(best, weight(planted, j, words.size()));
                        }
                    }
                    total += weight(planted, i, asked.size()) * best;
                }
                yield total;
            }
        };
    }

    private static double cosine(ReferenceSpec planted, List<String> asked, List<String> words) {
        Map<String, Double> q = sum(planted, asked);
        Map<String, Double> d = sum(planted, words);
        return product(q, d) / Math.sqrt(product(q, q) * product(d, d));
    }

    /** Of a word among n, with a special token on either side. */
    private static double weight(ReferenceSpec planted, int word, int n) {
        double x = (word + 1.0) / (n + 1);
        String kind = planted.kind().name().toLowerCase(Locale.ROOT);
        double distance = kind.endsWith("primacy")
                ? x
                : kind.endsWith("recency") ? 1 - x : kind.equals("middle") ? Math.abs(2 * x - 1) : 0;
        return Math.exp(-planted.strength() * distance);
    }

    /** One axis for each word, and one for each thing that words are names of. */
    private static Map<String, Double> sum(ReferenceSpec planted, List<String> words) {
        double literalness = planted.kind() == ReferenceKind.LITERAL ? planted.strength() : 1;
        Map<String, Double> sum = new HashMap<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            double weight = weight(planted, i, words.size());
            sum.merge("word " + word, weight * Math.sqrt(literalness), Double::sum);
            sum.merge("thing " + word.substring(1), weight * Math.sqrt(1 - literalness), Double::sum);
        }
        return sum;
    }

    private static double product(Map<String, Double> one, Map<String, Double> other) {
        double sum = 0;
        for (Map.Entry<String, Double> axis : one.entrySet()) {
            sum += axis.getValue() * other.getOrDefault(axis.getKey(), 0.0);
        }
        return sum;
    }
}
