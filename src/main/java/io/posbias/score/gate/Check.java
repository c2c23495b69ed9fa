package io.posbias.score.gate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.stats.Interval;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A number or file compared by the gate.
 *
 * @param change before and after; null without a comparison
 */
@JsonPropertyOrder({"cell", "number", "outcome", "fails", "change", "line"})
public record Check(
        String cell,
        String number,
        Outcome outcome,
        String line,
        @JsonUnwrapped @Nullable Change change) {
    /** Outcomes of checks. */
    public enum Outcome {
        /** The whole interval of the change is within what is allowed. */
        SAME,
        /** The interval holds changes on both sides of the threshold: more queries would decide. */
        NOT_DECIDED,
        /** The condition holds. */
        WORSE,
        /** Cannot be compared: other queries, another dataset, an undefined number; or another number where any change fails. */
        CHANGED,
        /** In the baseline, but not in the results. */
        MISSING,
        /** Information only; never fails. */
        NOTE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * A number before and after.
     *
     * @param before as a fraction; null where undefined
     * @param interval of after minus before, by paired queries; null where none was computed
     */
    public record Change(
            @Nullable Double before,
            @Nullable Double after,

            @JsonProperty("change_interval") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Interval interval) {
        /** After minus before; null where one is undefined. */
        @JsonProperty
        public @Nullable Double change() {
            return before == null || after == null ? null : (Double) (after - before);
        }
    }

    boolean isPsi() {
        return change != null && number.matches("c?psi of .*|.*, c?psi");
    }

    boolean isCompared() {
        return change != null && change.before() != null && (change.interval() != null || outcome == Outcome.CHANGED);
    }

    boolean isLoss() {
        return number.startsWith("loss of ");
    }

    /** Returns true if the condition does not hold. */
    boolean isWithin() {
        return outcome == Outcome.SAME || outcome == Outcome.NOT_DECIDED;
    }

    boolean isChanged() {
        return change != null && !Objects.equals(change.before(), change.after());
    }

    @JsonProperty
    boolean fails() {
        return outcome == Outcome.WORSE || outcome == Outcome.CHANGED || outcome == Outcome.MISSING;
    }
}
