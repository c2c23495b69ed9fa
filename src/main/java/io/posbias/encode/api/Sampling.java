package io.posbias.encode.api;

import io.posbias.Suggestions;
import java.util.List;

/** What a chat service is told of how to choose tokens. */
public enum Sampling {
    /** Temperature 0 and top_p 0, as the ColDeR paper has it; vLLM refuses a top_p of 0. */
    PAPER,
    /** Temperature 0 alone. */
    GREEDY,
    /** Nothing: for models that refuse to be told, such as OpenAI's reasoning models. Replies may differ then. */
    SERVER;

    /** The fields of a request that are 0. */
    List<String> zeros() {
        return switch (this) {
            case PAPER -> List.of("temperature", "top_p");
            case GREEDY -> List.of("temperature");
            case SERVER -> List.of();
        };
    }

    /** As it is typed. */
    @Override
    public String toString() {
        return Suggestions.word(this);
    }
}
