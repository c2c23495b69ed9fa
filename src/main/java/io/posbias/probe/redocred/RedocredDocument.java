package io.posbias.probe.redocred;

import io.posbias.probe.Spaces;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An article of Re-DocRED: tokens in sentences, entities, and relations between them. Texts are tokens joined by spaces. */
final class RedocredDocument {
    private final String split;
    private final String title;
    private final List<List<String>> tokens;
    private final List<Entity> entities;
    private final List<Label> labels;
    private final List<String> sentences;
    private final List<String> aligned;

    /**
     * @param split what ids begin with: {@code test}, {@code validation}, ...
     * @param title the article's title as it stands in the file; tells documents apart
     * @param tokens the tokens of each sentence
     */
    RedocredDocument(String split, String title, List<List<String>> tokens, List<Entity> entities, List<Label> labels) {
        this.split = split;
        this.title = title;
        this.tokens = List.copyOf(tokens);
        this.entities = List.copyOf(entities);
        this.labels = List.copyOf(labels);
        sentences = tokens.stream().map(words -> String.join(" ", words)).toList();
        aligned = sentences.stream().map(Spaces::aligned).toList();
    }

    String split() {
        return split;
    }

    String title() {
        return title;
    }

    /** How many sentences there are. */
    int size() {
        return tokens.size();
    }

    /** The tokens of a sentence. */
    List<String> tokens(int sentence) {
        return tokens.get(sentence);
    }

    /** The text of a sentence. */
    String sentence(int sentence) {
        return sentences.get(sentence);
    }

    /** All sentences in order, from 0. */
    List<Integer> all() {
        return IntStream.range(0, size()).boxed().toList();
    }

    /** All sentences but one, in order. */
    List<Integer> allBut(int sentence) {
        return all().stream().filter(other -> other != sentence).toList();
    }

    Entity entity(int index) {
        return entities.get(index);
    }

    List<Entity> entities() {
        return entities;
    }

    List<Label> labels() {
        return labels;
    }

    /** Whether the entity is mentioned in the sentence, or one of its names stands there as whole words. */
    boolean contains(Entity entity, int sentence) {
        return entity.isMentionedIn(sentence) || names(entity, sentence);
    }

    /** Whether one of the names of an entity, also of another document's, stands in the sentence as whole words. */
    boolean names(Entity entity, int sentence) {
        return Spaces.holdsAny(aligned.get(sentence), entity.names());
    }

    /** How many words title and text have. */
    int words() {
        return Spaces.words(title) + Spaces.words(sentences.stream().collect(Collectors.joining(" ")));
    }
}
