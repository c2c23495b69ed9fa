package io.posbias.probe.redocred;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.probe.Spaces;
import java.util.ArrayList;
import java.util.List;

/** A text composed of sentences, joined by spaces, with their sources. */
final class Composition {
    /**
     * Source of a sentence.
     *
     * @param sentence from 0
     * @param changed true if names were replaced
     */
    record CompositionSource(
            String title,
            int sentence,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean changed) {}

    private final List<String> parts = new ArrayList<>();
    private final List<CompositionSource> sources = new ArrayList<>();

    Composition add(RedocredDocument document, List<Integer> sentences) {
        sentences.forEach(sentence -> add(document, sentence, document.sentence(sentence)));
        return this;
    }

    Composition add(RedocredDocument document, int sentence) {
        return add(document, sentence, document.sentence(sentence));
    }

    /** Adds a sentence as {@code text}, possibly with replaced names. */
    Composition add(RedocredDocument document, int sentence, String text) {
        sources.add(new CompositionSource(document.title(), sentence, !text.equals(document.sentence(sentence))));
        return addWords(text);
    }

    Composition addWords(String text) {
        // An empty sentence would leave two spaces, which some tokenizers see.
        if (!text.isEmpty()) {
            parts.add(text);
        }
        return this;
    }

    String text() {
        return Spaces.strip(String.join(" ", parts));
    }

    List<CompositionSource> sources() {
        return List.copyOf(sources);
    }
}
