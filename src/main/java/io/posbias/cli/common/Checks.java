package io.posbias.cli.common;

import io.posbias.UsageException;
import java.lang.reflect.Field;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Checks of options, made once the command line is read: those of {@link Least}, {@link BelongsTo} and {@link Checked}. */
public final class Checks {
    private Checks() {}

    /**
     * Checks the options of a command.
     *
     * @throws UsageException if a value makes no sense
     */
    public static void check(ParseResult command) {
        for (OptionSpec option : command.commandSpec().options()) {
            if (option.userObject() instanceof Field field) {
                checkLeast(option, field);
                checkOthers(option, field, command);
            }
        }
        checkMixins(command.commandSpec());
    }

    private static void checkLeast(OptionSpec option, Field field) {
        Least least = field.getAnnotation(Least.class);
        if (least != null && option.getValue() instanceof Number value) {
            String range = least.value() == 0 ? "0 or more" : "at least " + least.value();
            Verb.refuse(
                    !(value.doubleValue() >= least.value()),
                    option.longestName() + " must be " + range + ", not " + value);
        }
    }

    private static void checkOthers(OptionSpec option, Field field, ParseResult command) {
        BelongsTo others = field.getAnnotation(BelongsTo.class);
        if (others != null && command.hasMatchedOption(option)) {
            List<String> known = List.of(others.value()).stream()
                    .filter(name -> command.commandSpec().findOption(name) != null)
                    .toList();
            Verb.refuse(
                    !known.isEmpty() && known.stream().noneMatch(command::hasMatchedOption),
                    option.longestName() + " belongs to " + String.join(" or ", known));
        }
    }

    private static void checkMixins(CommandSpec spec) {
        for (CommandSpec mixin : spec.mixins().values()) {
            if (mixin.userObject() instanceof Checked options) {
                options.check();
            }
            checkMixins(mixin);
        }
    }
}
