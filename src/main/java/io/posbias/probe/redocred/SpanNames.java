package io.posbias.probe.redocred;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts another name where an entity is mentioned, by token spans: names need not be what the tokens say. */
final class SpanNames {
    private SpanNames() {}

    /**
     * A sentence with a name in place of each mention of an entity.
     *
     * @param name what replaces them
     * @param mergeOverlaps whether spans that overlap become one name, or one each as in the notebooks
     */
    static String replace(RedocredDocument document, int sentence, Entity entity, String name, boolean mergeOverlaps) {
        List<Mention> mentions = inOrder(entity, sentence);
        List<String> tokens = document.tokens().get(sentence);
        List<String> replaced = new ArrayList<>();
        int next = 0;
        int lastStart = -1;
        for (Mention mention : mentions) {
            boolean again = mention.from() == lastStart || (mergeOverlaps && mention.from() < next);
            if (!again) {
                replaced.addAll(tokens.subList(Math.min(next, mention.from()), mention.from()));
                replaced.add(name);
            }
            lastStart = mention.from();
            next = Math.max(next, mention.to());
        }
        replaced.addAll(tokens.subList(next, tokens.size()));
        return String.join(" ", replaced);
    }

    private static List<Mention> inOrder(Entity entity, int sentence) {
        return entity.mentions().stream()
                .filter(mention -> mention.sentence() == sentence)
                .sorted(Comparator.comparingInt(Mention::from))
                .toList();
    }
}
