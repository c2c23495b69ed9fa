package io.posbias.encode;

import java.util.List;

/**
 * What a look at a loaded model found, for {@code posbias models check}. Every kind of model fills it with what there is to
 * say of it.
 *
 * @param facts what to show, in order
 * @param warnings what makes its results wrong, a sentence each; none for a sound model
 */
public record ModelCheck(List<Fact> facts, List<String> warnings) {
    /** Copies the lists. */
    public ModelCheck {
        facts = List.copyOf(facts);
        warnings = List.copyOf(warnings);
    }

    /**
     * One line.
     *
     * @param name what it is about
     * @param value what was found
     */
    public record Fact(String name, String value) {}

    /** Whether nothing was found that makes results wrong. */
    public boolean isSound() {
        return warnings.isEmpty();
    }
}
