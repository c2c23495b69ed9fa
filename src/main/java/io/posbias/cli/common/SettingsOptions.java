package io.posbias.cli.common;

import io.posbias.base.json.Setting;
import io.posbias.data.position.Bucketing;
import io.posbias.score.measure.Measures;
import io.posbias.score.measure.Settings;
import io.posbias.score.measure.SettingsFields;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** Options of {@link Settings}, one per offered component. */
public final class SettingsOptions {
    private final List<String> names;
    private final Map<RecordComponent, Object> given = new LinkedHashMap<>();

    /**
     * @param names components with an option; all that are offered if empty
     */
    public SettingsOptions(String... names) {
        this.names = List.of(names);
    }

    /**
     * Returns the settings with the values of the given options.
     *
     * @throws io.posbias.base.process.UsageException for a malformed value
     */
    public Settings settings() {
        Settings settings = Settings.USUAL;
        for (Map.Entry<RecordComponent, Object> entry : given.entrySet()) {
            Object value = entry.getValue();
            Class<?> type = entry.getKey().getType();
            settings = SettingsFields.with(
                    settings,
                    entry.getKey().getName(),
                    type == List.class
                            ? Measures.parseAll(value.toString())
                            : type == Bucketing.class
                                    ? Bucketing.parse(value.toString())
                                    : value instanceof Double number
                                            ? number / setting(entry.getKey()).scale()
                                            : value);
        }
        return settings;
    }

    @Spec
    void addTo(CommandSpec spec) {
        SettingsFields.offered().stream()
                .filter(component -> names.isEmpty() || names.contains(component.getName()))
                .forEach(component -> spec.addOption(new Value(component).option()));
    }

    private static Setting setting(RecordComponent component) {
        return component.getAnnotation(Setting.class);
    }

    /** Value of a component as an option gives it. */
    final class Value implements IGetter, ISetter {
        private final RecordComponent component;

        Value(RecordComponent component) {
            this.component = component;
        }

        Setting setting() {
            return SettingsOptions.setting(component);
        }

        private OptionSpec option() {
            Class<?> type = component.getType();
            boolean isText = type == List.class || type == Bucketing.class;
            Object usual = get();
            String meaning = setting().meaning();
            OptionSpec.Builder option = OptionSpec.builder("--" + SettingsFields.field(component))
                    .paramLabel(setting().label())
                    .type(isText ? String.class : type)
                    .getter(this)
                    .setter(this);
            if (type == List.class) {
                option.completionCandidates(
                        Measures.KINDS.stream().map(Measures.Kind::example).toList());
            }
            // The default ends the first sentence.
            String described =
                    meaning.replaceFirst("(?=\\. )|$", usual == null ? "" : " (default: \\${DEFAULT-VALUE})");
            option.description(described + ".");
            return (usual == null ? option : option.initialValue(usual)).build();
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        public <T> @Nullable T get() {
            Object value = given.getOrDefault(component, SettingsFields.get(Settings.USUAL, component));
            return (T)
                    switch (value) {
                        case null -> null;
                        case List<?> list -> list.stream().map(Object::toString).collect(Collectors.joining(","));
                        case Bucketing buckets -> buckets.toString();
                        case Double number ->
                            given.containsKey(component)
                                    ? number
                                    : (Double) (setting().scale() * number);
                        default -> value;
                    };
        }

        @Override
        public <T> @Nullable T set(@Nullable T value) {
            T before = get();
            if (value == null) {
                given.remove(component);
            } else {
                given.put(component, value);
            }
            return before;
        }
    }
}
