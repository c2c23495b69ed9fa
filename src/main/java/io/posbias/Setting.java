package io.posbias;

import java.io.Serial;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

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
