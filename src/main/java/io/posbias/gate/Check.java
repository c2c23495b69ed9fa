package io.posbias.gate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.posbias.stats.Interval;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing the gate looked at.
 *
 * @param cell the model on the dataset
 * @param number what was compared, in words
 * @param outcome what came out
 * @param line one line for people
 * @param change the number before and after; null where there was nothing to compare
 */
public record Check(
        String cell,
        String number,
        Outcome outcome,
        String line,
        @Nullable Change change) {
    /** What a check can come out as. */
    public enum Outcome {
        /** The condition does not hold. */
        SAME,
        /** The condition holds. */
        WORSE,
        /** Cannot be compared: other queries, another dataset, an undefined number; or another number where any change fails. */
        CHANGED,
        /** The baseline has it and the results do not. */
        MISSING,
        /** Worth telling, fails nothing. */
        NOTE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A number before and after.
     *
     * @param before as a fraction; null where undefined
     * @param after likewise
     * @param interval of after minus before, by paired queries; null where none was computed
     */
    public record Change(
            @Nullable Double before,
            @Nullable Double after,

            @JsonProperty("change_interval") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Interval interval) {}

    /** Whether it is of PSI, as profiles have it or with the content held fixed. */
    boolean isPsi() {
        return change != null && number.matches("c?psi of .*|.*, c?psi");
    }

    /** Whether the number is another than before. */
    boolean isChanged() {
        return change != null && !Objects.equals(change.before(), change.after());
    }

    /** Whether it makes the gate fail. */
    boolean fails() {
        return outcome != Outcome.SAME && outcome != Outcome.NOTE;
    }
}
