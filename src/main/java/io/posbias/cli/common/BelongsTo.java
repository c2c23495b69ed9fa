package io.posbias.cli.common;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The options of which one must be given with an option, or with the options of a mixin, in commands that have one of
 * them: {@code --html}, or {@code --format html} where one of its values must be chosen.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface BelongsTo {
    String[] value();
}
