package io.posbias.data.convert;

import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Distinct passages of a benchmark published as rows, with their questions. Passages are numbered in code point
 * order from {@code d00000}, as in the SQuAD-PosQ paper's code, independent of row order.
 */
final class DistinctTexts {
    private static final int LEAST_DIGITS = 5;

    /** The article of each text; the first of several. */
    private final Map<String, String> articles = new HashMap<>();

    private final Map<String, Question> questions = new LinkedHashMap<>();

    private record Question(String question, String text, Evidence evidence, List<String> answers) {}

    /** @param article empty if unknown */
    void add(String text, String article) {
        articles.putIfAbsent(text, article);
    }

    /**
     * Adds a question; false for a duplicate identifier.
     *
     * @param answers that are written; may be empty
     */
    boolean ask(String id, String question, String text, Evidence evidence, List<String> answers) {
        return questions.put(id, new Question(question, text, evidence, answers)) == null;
    }

    int questions() {
        return questions.size();
    }

    double share(Predicate<Evidence> wanted) {
        return questions.values().stream()
                .mapToInt(question -> wanted.test(question.evidence()) ? 1 : 0)
                .average()
                .orElse(1);
    }

    /** Writes the passages in identifier order and the questions in order of arrival. */
    void write(DatasetWriter out) {
        List<String> sorted =
                articles.keySet().stream().sorted(CodePoints.ORDER).toList();
        int digits = Math.max(LEAST_DIGITS, String.valueOf(sorted.size() - 1).length());
        Map<String, String> ids = HashMap.newHashMap(sorted.size());
        for (String text : sorted) {
            String id = "d" + padded(ids.size(), digits);
            ids.put(text, id);
            out.passage(new Passage(id, "", text, String.valueOf(articles.get(text))));
        }
        questions.forEach((id, asked) -> {
            out.query(new Query(id, asked.question(), asked.evidence()).withAnswers(asked.answers()));
            out.judgment(id, String.valueOf(ids.get(asked.text())), 1);
        });
    }

    static String padded(int number, int digits) {
        return String.format(Locale.ROOT, "%0" + digits + "d", number);
    }
}
