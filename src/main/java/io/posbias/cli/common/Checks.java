package io.posbias.cli.common;

import io.posbias.base.json.Setting;
import io.posbias.base.process.UsageException;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IAnnotatedElement;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Validates {@link Least}, {@link BelongsTo} and {@link Checked} options after parsing. */
public final class Checks {
    private Checks() {}

    /** @throws UsageException for invalid values */
    public static void check(ParseResult command) {
        for (OptionSpec option : command.commandSpec().options()) {
            if (option.getter() instanceof SettingsOptions.Value value) {
                checkRange(option, value.setting());
            } else if (option.userObject() instanceof Field field) {
                checkRange(option, field.getAnnotation(Least.class));
                checkOthers(option, field.getAnnotation(BelongsTo.class), command);
            }
        }
        checkMixins(command.commandSpec(), command);
    }

    private static void checkRange(OptionSpec option, @Nullable Least least) {
        if (least != null && option.getValue() instanceof Number value) {
            String range = least.most() < Integer.MAX_VALUE
                    ? "from " + least.value() + " to " + least.most()
                    : least.value() == 0 ? "0 or more" : "at least " + least.value();
            BaseCommand.refuse(
                    !(value.doubleValue() >= least.value() && value.doubleValue() <= least.most()),
                    option.longestName() + " must be " + range + ", not " + value);
        }
    }

    private static void checkRange(OptionSpec option, Setting setting) {
        if (option.getValue() instanceof Number number) {
            String missed = Setting.Range.missedBy(number.doubleValue(), setting, setting.scale());
            BaseCommand.refuse(missed != null, option.longestName() + " must be " + missed + ", not " + number);
        }
    }

    private static void checkOthers(OptionSpec option, @Nullable BelongsTo others, ParseResult command) {
        if (others != null && command.hasMatchedOption(option)) {
            List<String> known = Stream.of(others.value())
                    .filter(other -> find(other, command) != null)
                    .toList();
            BaseCommand.refuse(
                    !known.isEmpty() && known.stream().noneMatch(other -> isGiven(other, command)),
                    option.longestName() + " belongs to " + String.join(" or ", known));
        }
    }

    private static @Nullable OptionSpec find(String other, ParseResult command) {
        return command.commandSpec().findOption(other.replaceFirst(" .*", ""));
    }

    private static boolean isGiven(String other, ParseResult command) {
        OptionSpec option = Objects.requireNonNull(find(other, command));
        if (!other.contains(" ")) {
            return command.hasMatchedOption(option);
        }
        Object value = option.getValue();
        Collection<?> values = value instanceof Collection<?> several ? several : List.of(String.valueOf(value));
        return values.stream().anyMatch(each -> other.equalsIgnoreCase(option.longestName() + " " + each));
    }

    private static void checkMixins(CommandSpec spec, ParseResult command) {
        for (Map.Entry<String, CommandSpec> mixin : spec.mixins().entrySet()) {
            IAnnotatedElement field = spec.mixinAnnotatedElements().get(mixin.getKey());
            if (field != null) {
                mixin.getValue()
                        .options()
                        .forEach(option -> checkOthers(option, field.getAnnotation(BelongsTo.class), command));
            }
            if (mixin.getValue().userObject() instanceof Checked options) {
                options.check();
            }
            checkMixins(mixin.getValue(), command);
        }
    }
}
