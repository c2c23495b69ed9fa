package io.posbias;

import java.io.Serial;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
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

    /** Allowed words, the default first; empty for any text. */
    String[] words() default {};

    /** True if {@link #least} and {@link #most} are excluded. */
    boolean open() default false;

    /** Factor from the value of the record to the one of options: 100 for a fraction that is given in percent. */
    double scale() default 1;

    /** Placeholder of an option's value in help. */
    String label() default "";

    /** Heading of an option in help; empty for the first. */
    String heading() default "";

    /** Description of an option in help, without a full stop. */
    String meaning() default "";

    /** Range of a setting. */
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
            boolean isInside = setting.open() ? number > least && number < most : number >= least && number <= most;
            if (isInside) {
                return null;
            }
            if (setting.open()) {
                return "between " + plain(least) + " and " + plain(most);
            }
            return Double.isInfinite(most) ? plain(least) + " or more" : plain(least) + " to " + plain(most);
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
