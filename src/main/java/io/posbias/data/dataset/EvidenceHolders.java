package io.posbias.data.dataset;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Finds the passages that hold the evidence of queries: those in which the sentences of the evidence stand whole, as in the
 * passages of a splitter whose parts overlap. White space is compared as one space. An evidence whose sentences have fewer than
 * {@value #LEAST} characters may stand anywhere by chance and is not looked for.
 */
final class EvidenceHolders {
    private static final int LEAST = 20;

    private final Map<String, List<Wanted>> byStart = new HashMap<>();

    private record Wanted(Query query, String sentences) {}

    private EvidenceHolders() {}

    /**
     * Reads the evidence of queries that name its passage.
     *
     * @param language ISO 639-1 code of the passages
     */
    static EvidenceHolders of(List<Query> queries, RowFile corpus, String language) {
        EvidenceHolders holders = new EvidenceHolders();
        Map<String, List<Query>> byPassage = queries.stream()
                .filter(query -> query.passage() != null)
                .collect(Collectors.groupingBy(query -> String.valueOf(query.passage())));
        corpus.forEach(row -> {
            Passage passage = Passages.read(row);
            byPassage.getOrDefault(passage.id(), List.of()).forEach(query -> holders.want(query, passage, language));
        });
        return holders;
    }

    private void want(Query query, Passage passage, String language) {
        Evidence evidence = query.evidence();
        Span span = evidence == null ? null : evidence.span();
        if (span == null) {
            return;
        }
        String text = passage.text();
        List<Span> touched = Sentences.of(text, language).spans().stream()
                .filter(sentence -> sentence.start() < span.end() && span.start() < sentence.end())
                .toList();
        if (touched.isEmpty()) {
            return;
        }
        String sentences = spaced(
                text.substring(touched.getFirst().start(), touched.getLast().end()));
        if (sentences.length() >= LEAST) {
            byStart.computeIfAbsent(sentences.substring(0, LEAST), start -> new ArrayList<>())
                    .add(new Wanted(query, sentences));
        }
    }

    /** Visits the queries with each passage, by its identifier, that holds their evidence. */
    void forEach(RowFile corpus, BiConsumer<Query, String> visitor) {
        corpus.forEach(row -> {
            Passage passage = Passages.read(row);
            in(passage.text()).forEach(query -> visitor.accept(query, passage.id()));
        });
    }

    private Set<Query> in(String passage) {
        String text = spaced(passage);
        Set<Query> found = new LinkedHashSet<>();
        for (int at = 0; at + LEAST <= text.length(); at++) {
            int start = at;
            // Sentences do not begin within a word.
            if (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1))) {
                byStart.getOrDefault(text.substring(at, at + LEAST), List.of()).stream()
                        .filter(wanted -> text.startsWith(wanted.sentences, start))
                        .forEach(wanted -> found.add(wanted.query));
            }
        }
        return found;
    }

    private static String spaced(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
