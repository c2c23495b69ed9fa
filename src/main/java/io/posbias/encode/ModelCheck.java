package io.posbias.encode;

import java.util.List;

/**
 * Result of {@code posbias models check}.
 *
 * @param facts lines to show, in order
 * @param warnings faults that make results wrong, a sentence each
 */
public record ModelCheck(List<Fact> facts, List<String> warnings) {
    public ModelCheck {
        facts = List.copyOf(facts);
        warnings = List.copyOf(warnings);
    }

    public record Fact(String name, String value) {}

    public boolean isSound() {
        return warnings.isEmpty();
    }
}
