package io.posbias.probe.rag;

import java.util.Locale;

/** Document given to a reader, in the order of the paper's Table 5. */
public enum RagDocument {
    /** A foil with a wrong answer. */
    POISON,
    /** A document about the head without an answer. */
    FOIL,
    /** No document. */
    NONE,
    /** The evidence inside another article. */
    EVIDENCE;

    String prompt(RagPrompts prompts, RagItem item) {
        return switch (this) {
            case POISON -> prompts.withDocument(item.poison(), item.query());
            case FOIL -> prompts.withDocument(item.foil(), item.query());
            case NONE -> prompts.withoutDocument(item.query());
            case EVIDENCE -> prompts.withDocument(item.amid(), item.query());
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
