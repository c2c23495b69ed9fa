package io.posbias.base.json;

import java.io.Serial;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Default, range and meaning of a setting, declared on a component of the record that {@link Json#settings} binds, or
 * from which options are made.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** Default as YAML; without one the setting is required, unless its component is nullable. */
    String usual() default "";

    double least() default Double.NEGATIVE_INFINITY;

    double most() default Double.POSITIVE_INFINITY;

    /** Allowed words of a text or enum, the default first; empty for all. */
    String[] words() default {};

    /** Lower limit that is itself excluded. */
    double above() default Double.NEGATIVE_INFINITY;

    /** Upper limit that is itself excluded. */
    double below() default Double.POSITIVE_INFINITY;

    /** True for a name or identifier: a text or whole number, not empty, without white space around it. */
    boolean identifier() default false;

    /** Factor from the value of the record to the one of options: 100 for a fraction that is given in percent. */
    double scale() default 1;

    /** Placeholder of an option's value in help. */
    String label() default "";

    /** Heading of an option in help; empty for the first. */
    String heading() default "";

    /** Description of an option in help, without a full stop. */
    String meaning() default "";

    /**
     * Marks the static method of a type that reads its values from a file, for values of several shapes, such as a name or a
     * record. Its parameters are the {@link Fields} of the record and the name of the field, which is present.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface Reader {}

    final class Range {
        private Range() {}

        /**
         * Returns the range in words, "1 or more", if a number is outside; null inside.
         *
         * @param scale factor of the number
         */
        public static @Nullable String missedBy(double number, Setting setting, double scale) {
            double least = scale * setting.least();
            double most = scale * setting.most();
            double above = scale * setting.above();
            double below = scale * setting.below();
            if (number >= least && number <= most && number > above && number < below) {
                return null;
            }
            if (Double.isFinite(least) && Double.isFinite(most)) {
                return plain(least) + " to " + plain(most);
            }
            if (Double.isFinite(above) && Double.isFinite(below)) {
                return "between " + plain(above) + " and " + plain(below);
            }
            return Stream.of(
                            Double.isFinite(least) ? plain(least) + " or more" : "",
                            Double.isFinite(above) ? "above " + plain(above) : "",
                            Double.isFinite(below) ? "below " + plain(below) : "",
                            Double.isFinite(most) ? "at most " + plain(most) : "")
                    .filter(limit -> !limit.isEmpty())
                    .collect(Collectors.joining(", "));
        }

        private static String plain(double limit) {
            return BigDecimal.valueOf(limit).stripTrailingZeros().toPlainString();
        }
    }

    /** Contradictory settings, thrown by the constructor of their record. */
    final class Wrong extends IllegalArgumentException {
        @Serial
        private static final long serialVersionUID = 1L;

        final String field;
        final String found;

        /**
         * @param found the problem, for example "is without a model"
         *
         * @param advice ends the error
         */
        public Wrong(String field, String found, String advice) {
            super(advice);
            this.field = field;
            this.found = found;
        }
    }
}
