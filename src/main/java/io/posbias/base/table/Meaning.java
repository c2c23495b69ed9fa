package io.posbias.base.table;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Meaning of a component of a finding, for the reference of CSV's columns; of a record: of all its columns together. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Meaning {
    /** The meaning, without a full stop. */
    String value();

    /** Kind or unit of the values; by default text, count, fraction or "true or false", by the type. */
    String unit() default "";
}
