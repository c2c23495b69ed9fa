package io.posbias.study.build;

import io.posbias.base.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * Documents of made-up words with planted false negatives: sentences hold words that no other sentence has, except that some
 * documents repeat sentences of another one, so that what is asked about those is answered twice.
 */
final class PlantedDocuments {
    private static final int SENTENCES = 30;
    private static final int OWN_WORDS = 6;
    /** Of a document: ten words a sentence, and its point. */
    static final int TOKENS = SENTENCES * 11;

    private static final int COMMON_WORDS = 200;
    private static final int COPIED = 6;

    private final Map<String, List<String>> documents = new LinkedHashMap<>();
    private final Map<String, Set<String>> words = new HashMap<>();

    /**
     * @param n how many
     * @param pairs how many of them repeat sentences of another: document 1 of document 0, 3 of 2 and so on
     */
    PlantedDocuments(int n, int pairs) {
        Random random = new Random(42);
        for (int i = 0; i < n; i++) {
            List<String> sentences = new ArrayList<>();
            for (int s = 0; s < SENTENCES; s++) {
                sentences.add(sentence(i, s, random));
            }
            if (i % 2 == 1 && i / 2 < pairs) {
                copy(Objects.requireNonNull(documents.get("doc" + (i - 1))), sentences, random);
            }
            documents.put("doc" + i, sentences);
            words.put("doc" + i, new HashSet<>(StandInModel.words(String.join(" ", sentences))));
        }
    }

    private static String sentence(int document, int number, Random random) {
        List<String> words = new ArrayList<>();
        for (int w = 0; w < OWN_WORDS; w++) {
            words.add("z" + document + "x" + number + "x" + w);
        }
        for (int w = 0; w < 4; w++) {
            words.add(random.nextInt(1 + w), "common" + random.nextInt(COMMON_WORDS));
        }
        return "S" + String.join(" ", words) + ".";
    }

    /** Anywhere, so that each may be in another third of its second document. */
    private void copy(List<String> from, List<String> to, Random random) {
        for (int c = 0; c < COPIED; c++) {
            int source = random.nextInt(SENTENCES);
            // Twice, so that it is more about it than the first one is.
            to.set(random.nextInt(SENTENCES), from.get(source));
            to.set(random.nextInt(SENTENCES), from.get(source));
        }
    }

    String jsonLines() {
        StringBuilder lines = new StringBuilder();
        documents.forEach((id, sentences) -> lines.append(new String(
                Json.toLine(Map.of("_id", id, "text", String.join(" ", sentences))), StandardCharsets.UTF_8)));
        return lines.toString();
    }

    boolean repeats(String document, String sentence) {
        return documents.getOrDefault(document, List.of()).stream()
                        .filter(own -> own.contains(sentence))
                        .count()
                > 1;
    }

    String text(String id) {
        return String.join(" ", Objects.requireNonNull(documents.get(id)));
    }

    /** Whether another document than a question's own holds all of its terms: a planted false negative. */
    boolean isAnsweredTwice(String question, String document) {
        Set<String> terms = new HashSet<>(StandInModel.words(question));
        terms.removeAll(Set.of("what", "about"));
        return words.entrySet().stream()
                .anyMatch(entry ->
                        !entry.getKey().equals(document) && entry.getValue().containsAll(terms));
    }
}
