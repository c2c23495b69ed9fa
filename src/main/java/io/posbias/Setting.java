package io.posbias;

import java.io.Serial;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a setting is, and may be, on the component of the record that {@link Json#settings} makes. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** Its value where the file has none, as YAML; without one it must be there, unless its component may be null. */
    String usual() default "";

    /** The least that a number may be. */
    double least() default Double.NEGATIVE_INFINITY;

    /** The most that a number may be. */
    double most() default Double.POSITIVE_INFINITY;

    /** The words of which it is one, the usual one first; none: any text. */
    String[] words() default {};

    /** Settings that do not fit each other, as the constructor of their record finds. */
    final class Wrong extends IllegalArgumentException {
        @Serial
        private static final long serialVersionUID = 1L;

        final String field;
        final String found;

        /**
         * @param field the setting to name
         * @param found what is wrong with it, such as "is without a model"
         * @param advice how it would be right
         */
        public Wrong(String field, String found, String advice) {
            super(advice);
            this.field = field;
            this.found = found;
        }
    }
}
