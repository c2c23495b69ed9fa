package shop;

import static io.posbias.api.PositionAssertions.assertNoBiasDetected;
import static io.posbias.api.PositionAssertions.assertNotWorseThan;

import io.posbias.api.Posbias;
import io.posbias.api.PositionReport;
import io.posbias.api.Search;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Does our search find an answer late in a text as well as an early one? */
class SearchTest {
    private static PositionReport report;

    @BeforeAll
    static void evaluate() {
        WordSearch search = new WordSearch();
        Posbias.passages("demo", search::add);
        report = Posbias.evaluate("word-search", search, "demo");
    }

    @Test
    void findsAnswersWhereverTheyStand() {
        assertNoBiasDetected(report);
    }

    @Test
    void isNoWorseThanWhatWasReleased() {
        assertNotWorseThan(Path.of("src/test/resources/released"), report);
    }

    /** The search under test: passages by the words of the query in them, rare words counting more. */
    private static final class WordSearch implements Search {
        private final Map<String, Map<String, Integer>> postings = new HashMap<>();
        private int passages;

        void add(String passage, String text) {
            passages++;
            for (String word : words(text)) {
                postings.computeIfAbsent(word, any -> new HashMap<>()).merge(passage, 1, Integer::sum);
            }
        }

        @Override
        public List<Hit> search(String query, int k) {
            Map<String, Double> scores = new HashMap<>();
            for (String word : words(query)) {
                Map<String, Integer> found = postings.getOrDefault(word, Map.of());
                double weight = Math.log((double) passages / Math.max(1, found.size()));
                found.forEach((passage, count) -> scores.merge(passage, weight, Double::sum));
            }
            List<Hit> hits = new ArrayList<>();
            scores.forEach((passage, score) -> hits.add(new Hit(passage, score)));
            return hits;
        }

        private static List<String> words(String text) {
            return Arrays.asList(text.toLowerCase().split("\\W+"));
        }
    }
}
