package io.posbias.model.encode;

import java.util.ArrayList;
import java.util.List;

/**
 * Findings of {@code posbias models check} about a loaded model.
 *
 * @param facts one line each, in order
 */
public record ModelCheck(List<Fact> facts) {
    public ModelCheck {
        facts = List.copyOf(facts);
    }

    /** Result of one check, the best first. */
    public enum Outcome {
        /** A property of the model, not a check. */
        INFO,
        OK,
        /** Possibly wrong. */
        WARN,
        /** Results of the model are wrong. */
        FAIL
    }

    /**
     * One line.
     *
     * @param name the property or check
     * @param value the property, the measured difference, or a sentence on what is wrong
     */
    public record Fact(Outcome outcome, String name, String value) {}

    /** Returns the check with another fact at its end. */
    public ModelCheck with(Fact fact) {
        List<Fact> all = new ArrayList<>(facts);
        all.add(fact);
        return new ModelCheck(all);
    }

    /** The worst outcome; OK if nothing was checked. */
    public Outcome outcome() {
        return facts.stream().map(Fact::outcome).reduce(Outcome.OK, (a, b) -> a.compareTo(b) < 0 ? b : a);
    }

    /** Sentences on what is wrong. */
    public List<String> failures() {
        return facts.stream()
                .filter(fact -> fact.outcome() == Outcome.FAIL)
                .map(Fact::value)
                .toList();
    }
}
