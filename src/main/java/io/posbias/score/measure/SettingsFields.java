package io.posbias.score.measure;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Suggestions;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Settings by the names of their components, which options, files and messages use. */
public final class SettingsFields {
    /** Names of the components besides depth, measures and buckets, as fields. */
    public static final List<String> STATISTICS = offered().stream()
            .filter(component ->
                    component.getType().isPrimitive() || component.getType().isEnum())
            .filter(component -> !component.getName().equals("k"))
            .map(SettingsFields::field)
            .toList();

    private SettingsFields() {}

    /** Returns the components that options and fields set. */
    public static List<RecordComponent> offered() {
        return Stream.of(Settings.class.getRecordComponents())
                .filter(component -> component.isAnnotationPresent(Setting.class))
                .toList();
    }

    public static @Nullable Object get(Settings settings, RecordComponent component) {
        try {
            return component.getAccessor().invoke(settings);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(component.getName(), impossible);
        }
    }

    /**
     * Returns settings with another value of a component.
     *
     * @param value of the component's type
     */
    public static Settings with(Settings settings, String name, @Nullable Object value) {
        RecordComponent[] components = Settings.class.getRecordComponents();
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = Stream.of(components)
                .map(own -> own.getName().equals(name) ? value : get(settings, own))
                .toArray();
        try {
            return Settings.class.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException wrong) {
            throw new IllegalArgumentException("setting " + name, wrong);
        }
    }

    /** Returns the name of a component in options, fields and messages. */
    public static String field(RecordComponent component) {
        return Json.name(component, "-");
    }

    /**
     * Returns the settings with the {@link #STATISTICS} among the fields.
     *
     * @throws io.posbias.base.json.BadInputException for a mistyped value, or one out of range
     */
    public static Settings with(Settings settings, Fields fields) {
        Settings all = settings;
        for (RecordComponent component : offered()) {
            String field = field(component);
            if (STATISTICS.contains(field) && fields.has(field)) {
                all = with(all, component.getName(), value(fields, field, component));
            }
        }
        return all;
    }

    private static Object value(Fields fields, String field, RecordComponent component) {
        Class<?> type = component.getType();
        if (type.isEnum()) {
            List<Clustering.By> units = List.of(Clustering.By.values());
            List<String> words = Suggestions.words(units);
            return units.get(words.indexOf(fields.oneOf(field, "", words)));
        }
        if (type != double.class) {
            fields.integer(field);
        }
        Number number = fields.number(field, component.getAnnotation(Setting.class));
        return type == int.class
                ? (Object) number.intValue()
                : type == long.class ? (Object) number.longValue() : number.doubleValue();
    }

    /** Returns the settings that differ from those of a finished result: "buckets thirds, the finished result has relative:5". */
    public static List<String> differences(Settings asked, Settings found) {
        return Stream.of(Settings.class.getRecordComponents())
                .filter(component -> !Objects.equals(get(asked, component), get(found, component)))
                .map(component -> field(component) + " "
                        + word(component, get(asked, component)) + ", the finished result has "
                        + word(component, get(found, component)))
                .toList();
    }

    private static String word(RecordComponent component, @Nullable Object value) {
        if (value instanceof Double number) {
            BigDecimal scale =
                    BigDecimal.valueOf(component.getAnnotation(Setting.class).scale());
            return BigDecimal.valueOf(number)
                    .multiply(scale)
                    .stripTrailingZeros()
                    .toPlainString();
        }
        return value instanceof List<?> list
                ? list.stream().map(Object::toString).collect(Collectors.joining(","))
                : Objects.toString(value, "none");
    }
}
