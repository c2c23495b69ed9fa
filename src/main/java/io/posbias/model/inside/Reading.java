package io.posbias.model.inside;

import io.posbias.data.dataset.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text as a model reads it.
 *
 * @param tokens of the row, special ones and prompt included
 * @param cut whether the text goes on behind the last one
 */
public record Reading(List<Token> tokens, boolean cut) {
    /**
     * A token.
     *
     * @param piece what the vocabulary calls it
     * @param span where it is in the text, in UTF-16 units; null for special tokens and those of a prompt
     */
    public record Token(String piece, @Nullable Span span) {}
}
