package io.posbias.data.convert;

import io.posbias.base.text.Plural;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Distinct passages of a benchmark published as rows, with their questions. Passages are numbered in code point
 * order from {@code d00000}, as in the SQuAD-PosQ paper's code, independent of row order.
 */
final class DistinctTexts {
    private static final int LEAST_DIGITS = 5;
    private static final Pattern SPACE = Pattern.compile("[\\s\\p{Z}]+");

    /** The article of each text; the first of several. */
    private final Map<String, String> articles = new HashMap<>();

    private final Map<String, Question> questions = new LinkedHashMap<>();

    /** Kept texts by others that differ from them in white space alone. */
    private final Map<String, String> kept = new HashMap<>();

    private record Question(String question, String text, Evidence evidence, List<String> answers) {}

    /** @param article empty if unknown */
    void add(String text, String article) {
        articles.putIfAbsent(kept.getOrDefault(text, text), article);
    }

    /** Merges texts that differ in white space alone into the first in code point order; returns a note if there are any. */
    Optional<String> mergeSpaced() {
        Map<String, String> first = new HashMap<>();
        articles.keySet().stream().sorted(CodePoints.ORDER).forEach(text -> {
            String same = first.putIfAbsent(SPACE.matcher(text).replaceAll(" ").strip(), text);
            if (same != null) {
                kept.put(text, same);
            }
        });
        articles.keySet().removeAll(kept.keySet());
        return kept.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Plural.of(kept.size(), "passage") + " merged with others that differ in white space alone");
    }

    /**
     * Adds a question; false for a duplicate identifier.
     *
     * @param answers that are written; may be empty
     */
    boolean ask(String id, String question, String text, Evidence evidence, List<String> answers) {
        String same = kept.getOrDefault(text, text);
        Evidence place = text.equals(same) ? evidence : moved(evidence, text, same);
        return questions.put(id, new Question(question, same, place, answers)) == null;
    }

    /** Returns a place in another text that differs in white space alone: from and to the same letters. */
    private static Evidence moved(Evidence evidence, String text, String other) {
        int[] letters = letters(text);
        int[] others = letters(other);
        long before = Arrays.stream(letters).filter(at -> at < evidence.start()).count();
        long until = Arrays.stream(letters).filter(at -> at < evidence.end()).count();
        return new Evidence(
                others[(int) before],
                others[(int) until - 1] + 1,
                CodePoints.count(other),
                evidence.tokenLength(),
                evidence.labels(),
                null);
    }

    private static int[] letters(String text) {
        int[] points = text.codePoints().toArray();
        return IntStream.range(0, points.length)
                .filter(at -> !SPACE.matcher(Character.toString(points[at])).matches())
                .toArray();
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
