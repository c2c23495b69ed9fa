package io.posbias.base.json;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.base.text.Suggestions;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Binds a record of a file to a Java record. A component is the field of its name; one with {@link JsonUnwrapped} is a group
 * of fields of the record itself; one of type {@link Fields} is the record as written. Values of other types than texts,
 * numbers, flags, enums, lists, maps and records are Jackson's.
 */
final class Binder {
    /** For what people write: hyphenated names; unknown fields and numbers out of range are refused; a list may be one value. */
    static final Binder SETTINGS = new Binder("-", Others.REFUSED);

    /** For what programs write: underscores in names; unknown fields are skipped. */
    static final Binder DATA = new Binder("_", Others.SKIPPED);

    /** For rows of data: as {@link #DATA}, but a misspelt field is refused. */
    static final Binder ROWS = new Binder("_", Others.SKIPPED_UNLESS_MISSPELT);

    private static final ClassValue<Optional<Method>> READERS = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            return Stream.of(type.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Setting.Reader.class))
                    .peek(method -> method.setAccessible(true))
                    .findFirst();
        }
    };

    /** True for types that Jackson creates from other values than their components. */
    private static final ClassValue<Boolean> CREATORS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return Stream.of(type.getDeclaredMethods())
                    .anyMatch(method -> method.isAnnotationPresent(JsonCreator.class));
        }
    };

    private enum Others {
        REFUSED,
        SKIPPED,
        SKIPPED_UNLESS_MISSPELT
    }

    private final String separator;
    private final Others others;
    private final boolean strict;
    private final ClassValue<Shape> shapes;
    private final Map<Class<?>, Json.FieldReader<?>> given;

    private final class Shapes extends ClassValue<Shape> {
        @Override
        protected Shape computeValue(Class<?> type) {
            return shape(type);
        }
    }

    /** @param names of all fields, those of groups included */
    private record Shape(Constructor<?> constructor, List<Part> parts, SequencedSet<String> names) {}

    /**
     * A component.
     *
     * @param group true for fields of the record itself
     * @param usual null for none
     */
    private record Part(
            String name,
            AnnotatedType type,
            boolean group,
            @Nullable Setting setting,
            @Nullable Object usual) {
        boolean isOptional() {
            return type.isAnnotationPresent(Nullable.class);
        }
    }

    private Binder(String separator, Others others) {
        this.separator = separator;
        this.others = others;
        this.strict = others == Others.REFUSED;
        this.given = Map.of();
        this.shapes = new Shapes();
    }

    private Binder(Binder plain, Map<Class<?>, Json.FieldReader<?>> given) {
        this.separator = plain.separator;
        this.others = plain.others;
        this.strict = plain.strict;
        this.shapes = plain.shapes;
        this.given = given;
    }

    /** Returns this with a reader of components of a type, which goes before the type's own. */
    <P> Binder with(Class<P> part, Json.FieldReader<P> reader) {
        return new Binder(this, Map.of(part, reader));
    }

    <T> T bind(Fields fields, Class<T> type) {
        fields.refuseInfinite();
        try {
            return type.cast(record(fields, type));
        } catch (IllegalArgumentException refused) {
            throw new BadInputException(fields.where(), String.valueOf(refused.getMessage()), "");
        }
    }

    /** Returns the names of a record's fields, in the order of its components. */
    SequencedSet<String> names(Class<?> type) {
        return shapes.get(type).names();
    }

    private Shape shape(Class<?> type) {
        List<Part> parts = Stream.of(type.getRecordComponents()).map(this::part).toList();
        SequencedSet<String> names = parts.stream()
                .filter(part -> raw(part.type) != Fields.class)
                .flatMap(part -> part.group ? names(raw(part.type)).stream() : Stream.of(part.name))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return new Shape(constructor, parts, Collections.unmodifiableSequencedSet(names));
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Part part(RecordComponent component) {
        AnnotatedElement accessor = component.getAccessor();
        Setting setting = component.getAnnotation(Setting.class);
        return new Part(
                Json.name(component, separator),
                component.getAnnotatedType(),
                accessor.isAnnotationPresent(JsonUnwrapped.class),
                setting,
                setting == null || component.getAnnotatedType().isAnnotationPresent(Nullable.class)
                        ? null
                        : setting.words().length > 0
                                ? setting.words()[0]
                                : setting.usual().isEmpty() ? null : Json.yaml(setting.usual()));
    }

    private Object record(Fields fields, Class<?> type) {
        if (strict) {
            fields.refuseOthers(names(type));
        } else if (others == Others.SKIPPED_UNLESS_MISSPELT) {
            fields.refuseMisspelt(names(type));
        }
        return group(fields, type);
    }

    private Object group(Fields fields, Class<?> type) {
        Shape shape = shapes.get(type);
        Object[] values =
                shape.parts().stream().map(part -> component(fields, part)).toArray();
        return called(fields, () -> shape.constructor().newInstance(values));
    }

    private @Nullable Object component(Fields fields, Part part) {
        Class<?> type = raw(part.type);
        if (type == Fields.class) {
            return fields;
        }
        if (part.group) {
            return group(fields, type);
        }
        if (fields.has(part.name)) {
            return value(fields, part.name, part.type, part.setting);
        }
        if (part.usual != null) {
            return value(fields.with(part.name, part.usual), part.name, part.type, part.setting);
        }
        return part.isOptional() ? null : fields.required(part.name);
    }

    /** @param type of the value, which is not null */
    private Object value(Fields fields, String name, AnnotatedType type, @Nullable Setting setting) {
        Class<?> raw = raw(type);
        Json.FieldReader<?> other = given.get(raw);
        if (other != null) {
            return called(fields, () -> Objects.requireNonNull(other.read(fields, name)));
        }
        Method reader = READERS.get(raw).orElse(null);
        if (reader != null) {
            return called(fields, () -> reader.invoke(null, fields, name));
        }
        Object value = fields.required(name);
        if (raw == String.class) {
            return !strict && value instanceof Number ? String.valueOf(value) : text(fields, name, setting);
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return fields.flag(name);
        }
        if (raw == int.class || raw == Integer.class) {
            int whole = strict ? fields.integer(name) : fields.parsedInteger(name);
            return (int) ranged(fields, name, whole, setting);
        }
        if (raw == long.class || raw == Long.class) {
            return (long) ranged(fields, name, strict ? fields.longInteger(name) : fields.parsedLong(name), setting);
        }
        if (raw == double.class || raw == Double.class) {
            return ranged(fields, name, strict ? fields.number(name) : fields.parsedNumber(name), setting);
        }
        if (raw == Object.class) {
            return value;
        }
        if (raw.isEnum() && strict) {
            return word(fields, name, raw, setting);
        }
        if (raw.isRecord() && !CREATORS.get(raw) && (value instanceof Map || strict)) {
            return nested(fields, name, raw);
        }
        if (raw == List.class) {
            return list(fields, name, argument(type, 0), setting);
        }
        if (raw.isAssignableFrom(LinkedHashMap.class)) {
            return map(fields, name, type, setting);
        }
        return fields.converted(name, type.getType());
    }

    private Object nested(Fields fields, String name, Class<?> type) {
        Fields own = fields.record(name);
        try {
            return record(own, type);
        } catch (IllegalArgumentException refused) {
            throw fields.refused(name, refused);
        }
    }

    private static String text(Fields fields, String name, @Nullable Setting setting) {
        if (setting != null && setting.words().length > 0) {
            return fields.oneOf(name, "", List.of(setting.words()));
        }
        return setting != null && setting.identifier() ? fields.id(name) : fields.text(name);
    }

    private static Object word(Fields fields, String name, Class<?> type, @Nullable Setting setting) {
        List<Enum<?>> constants = Stream.of(type.getEnumConstants())
                .<Enum<?>>map(constant -> (Enum<?>) constant)
                .toList();
        List<String> words = Suggestions.words(constants);
        List<String> allowed = setting == null || setting.words().length == 0 ? words : List.of(setting.words());
        return constants.get(words.indexOf(fields.oneOf(name, "", allowed)));
    }

    /** Programs write 0 where a paper gives no number. */
    private <N extends Number> N ranged(Fields fields, String name, N number, @Nullable Setting setting) {
        return setting != null && (strict || number.doubleValue() != 0)
                ? fields.inRange(name, number, setting)
                : number;
    }

    private List<?> list(Fields fields, String name, AnnotatedType type, @Nullable Setting setting) {
        if (!(fields.raw(name) instanceof List) && (strict || raw(type) == String.class)) {
            return List.of(value(fields, name, type, setting));
        }
        return Collections.unmodifiableList(
                new ArrayList<>(entries(fields.elements(name), type, setting).values()));
    }

    private Map<?, ?> map(Fields fields, String name, AnnotatedType type, @Nullable Setting setting) {
        Fields own = fields.record(name);
        SequencedMap<String, @Nullable Object> values = entries(own, argument(type, 1), setting);
        Class<?> key = raw(argument(type, 0));
        if (!key.isEnum()) {
            return values;
        }
        own.refuseOthers(Suggestions.words(List.of((Enum<?>[]) key.getEnumConstants())));
        Map<Object, @Nullable Object> keyed = new LinkedHashMap<>();
        for (Object constant : key.getEnumConstants()) {
            String word = Suggestions.word((Enum<?>) constant);
            if (own.has(word)) {
                keyed.put(constant, values.get(word));
            }
        }
        return keyed;
    }

    private SequencedMap<String, @Nullable Object> entries(
            Fields fields, AnnotatedType type, @Nullable Setting setting) {
        SequencedMap<String, @Nullable Object> entries = new LinkedHashMap<>();
        for (String name : fields.names()) {
            boolean isAbsent = !fields.has(name) && type.isAnnotationPresent(Nullable.class);
            entries.put(name, isAbsent ? null : value(fields, name, type, setting));
        }
        return entries;
    }

    private interface Call {
        Object now() throws ReflectiveOperationException;
    }

    /** @param fields the record that is at fault */
    private static Object called(Fields fields, Call call) {
        try {
            return call.now();
        } catch (InvocationTargetException thrown) {
            switch (Objects.requireNonNull(thrown.getCause())) {
                case Setting.Wrong wrong ->
                    throw fields.bad(wrong.field, wrong.found, String.valueOf(wrong.getMessage()));
                case RuntimeException refused -> throw refused;
                case Error failure -> throw failure;
                default -> throw new IllegalStateException(thrown);
            }
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static AnnotatedType argument(AnnotatedType type, int place) {
        return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[place];
    }

    private static Class<?> raw(AnnotatedType type) {
        Type own = type.getType();
        return (Class<?>) (own instanceof ParameterizedType generic ? generic.getRawType() : own);
    }
}
