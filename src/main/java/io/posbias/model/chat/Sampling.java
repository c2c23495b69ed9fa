package io.posbias.model.chat;

import io.posbias.base.text.Suggestions;
import java.util.List;

/** Sampling parameters of a request to a chat service. */
public enum Sampling {
    /** Temperature 0 and top_p 0, as the ColDeR paper has it; vLLM refuses a top_p of 0. */
    PAPER,
    /** Temperature 0 alone. */
    GREEDY,
    /** No parameters, for models that refuse them, for example OpenAI's reasoning models. Replies may differ between calls. */
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
