package io.posbias;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import java.io.Serial;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.type.TypeReference;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** JSON and YAML with strict keys and one-line errors. */
public final class Json {
    /** Limit for YAML files in bytes: parsing a quoted text takes quadratic time. */
    private static final long MOST_YAML = 1_000_000;

    private static final TypeReference<Map<String, @Nullable Object>> RECORD = new TypeReference<>() {};

    private Json() {}

    /** Created lazily: {@code --version} does not load Jackson. */
    private static final class Mappers {
        static final JsonMapper JSON = JsonMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .changeDefaultVisibility(seen -> seen.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .annotationIntrospector(new Nullness())
                .build();
        static final JsonMapper SETTINGS = JSON.rebuild()
                .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
                .withCoercionConfig(
                        LogicalType.Textual,
                        config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .build();
        static final YAMLMapper YAML = YAMLMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
    }

    /** Only nullable components of records, and elements of them, may be missing or null. */
    private static final class Nullness extends JacksonAnnotationIntrospector {
        @Serial
        private static final long serialVersionUID = 1L;

        @Override
        public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
            AnnotatedType type = component(member);
            return (type == null || member.hasAnnotation(JsonSetter.class))
                    ? super.hasRequiredMarker(config, member)
                    : (Boolean) !type.isAnnotationPresent(Nullable.class);
        }

        @Override
        public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated member) {
            JsonSetter.Value nulls = super.findSetterInfo(config, member);
            AnnotatedType type = component(member);
            if (type == null) {
                return nulls;
            }
            if (!type.isAnnotationPresent(Nullable.class)) {
                nulls = nulls.withValueNulls(Nulls.FAIL);
            }
            boolean holdsNulls = !(type instanceof AnnotatedParameterizedType container)
                    || Stream.of(container.getAnnotatedActualTypeArguments())
                            .anyMatch(element -> element.isAnnotationPresent(Nullable.class));
            return holdsNulls ? nulls : nulls.withContentNulls(Nulls.FAIL);
        }

        /** The type of a constructor's parameter; null for other members. */
        private static @Nullable AnnotatedType component(Annotated member) {
            return member instanceof AnnotatedParameter parameter
                            && parameter.getOwner().getAnnotated() instanceof Constructor<?> constructor
                    ? constructor.getAnnotatedParameterTypes()[parameter.getIndex()]
                    : null;
        }
    }

    /**
     * Binds fields in snake case to a Java record.
     *
     * @throws BadInputException if a field is missing, mistyped or infinite
     */
    public static <T> T bind(Fields fields, Class<T> type) {
        fields.refuseInfinite();
        try {
            return Mappers.JSON.convertValue(fields.toMap(), type);
        } catch (JacksonException wrong) {
            throw fields.unbound(wrong);
        }
    }

    /**
     * Binds settings, hyphenated fields whose ranges are declared with {@link Setting}, to a Java record.
     *
     * @throws BadInputException if a setting is unknown, missing or out of range
     */
    public static <T extends Record> T settings(Fields fields, Class<T> type) {
        fields.refuseInfinite();
        Map<String, @Nullable Object> whole = whole(fields, type);
        try {
            return Mappers.SETTINGS.convertValue(whole, type);
        } catch (JacksonException wrong) {
            throw fields.unsettled(wrong);
        }
    }

    /** Checks settings and adds defaults. */
    private static Map<String, @Nullable Object> whole(Fields fields, Class<?> type) {
        SequencedMap<String, RecordComponent> known = components(type);
        fields.refuseOthers(known.keySet());
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        known.forEach((name, component) -> {
            Setting setting = component.getAnnotation(Setting.class);
            if (fields.has(name)) {
                values.put(name, fields.setting(name, setting));
            } else if (setting != null && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                values.put(name, usual(setting));
            }
            if (component.getType().isRecord() && values.get(name) instanceof Map) {
                values.put(name, whole(fields.record(name), component.getType()));
            }
        });
        return values;
    }

    private static @Nullable Object usual(Setting setting) {
        return setting.words().length > 0
                ? setting.words()[0]
                : setting.usual().isEmpty() ? null : Mappers.YAML.readValue(setting.usual(), Object.class);
    }

    private static SequencedMap<String, RecordComponent> components(Class<?> type) {
        SequencedMap<String, RecordComponent> components = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                components.putAll(components(component.getType()));
            } else {
                components.put(component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT), component);
            }
        }
        return components;
    }

    /** SHA-256 of the named fields as JSON, sorted by name. */
    public static String fingerprint(Fields fields, Collection<String> names) {
        Map<String, @Nullable Object> some = new TreeMap<>();
        names.stream().filter(fields::has).forEach(name -> some.put(name, fields.raw(name)));
        return Checksums.sha256(Mappers.JSON.writeValueAsBytes(some));
    }

    /** The JSON mapper; record components are in snake case. */
    public static JsonMapper mapper() {
        return Mappers.JSON;
    }

    /** Reads a JSON object. */
    public static Fields readJson(Path file) {
        return read(Mappers.JSON, "JSON", file);
    }

    /** Reads a YAML mapping. */
    public static Fields readYaml(Path file) {
        long bytes = IoErrors.call("read", file, () -> Files.size(file));
        if (bytes > MOST_YAML) {
            throw new BadInputException(
                    Location.of(file), "has " + bytes + " bytes", "a recipe or card has at most " + MOST_YAML);
        }
        return read(Mappers.YAML, "YAML", file);
    }

    /** Parses a JSON object; {@code file} is for errors. */
    public static Fields parse(Path file, byte[] json) {
        return parse(Mappers.JSON, "JSON", file, json);
    }

    /** Parses a YAML mapping; {@code file} is for errors. */
    public static Fields parseYaml(Path file, byte[] yaml) {
        return parse(Mappers.YAML, "YAML", file, yaml);
    }

    /**
     * Parses the value of an option as YAML.
     *
     * @throws UsageException if it is empty or malformed
     */
    public static Object yamlValue(String option, String yaml) {
        if (yaml.isBlank()) {
            throw new UsageException(option + ": the value is empty");
        }
        try {
            Object value = Mappers.YAML.readValue(yaml, Object.class);
            if (value != null) {
                return value;
            }
        } catch (JacksonException broken) {
            throw new UsageException(option + ": " + Printable.quoted(yaml) + " is not YAML: quote it");
        }
        throw new UsageException(option + ": the value is empty");
    }

    /** Serialises as indented JSON with {@code \n} line ends; characters that reorder a line are escaped. */
    public static byte[] toBytes(Object value) {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(indenter);
        String text = Mappers.JSON.writer().with(printer).writeValueAsString(value);
        return (Printable.document(text) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Serialises as one line; unpaired surrogates become {@code ?}. */
    public static byte[] toLine(Object value) {
        return (Mappers.JSON.writeValueAsString(value) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Serialises a map or record as YAML with JSON's names; characters that reorder a line are escaped. */
    public static String toYaml(Object record) {
        return Printable.document(Mappers.YAML
                .writeValueAsString(Mappers.JSON.convertValue(record, Object.class))
                .replaceFirst("^---\\s*\\n", ""));
    }

    private static Fields read(ObjectMapper mapper, String format, Path file) {
        return parse(mapper, format, file, IoErrors.call("read", file, () -> Files.readAllBytes(file)));
    }

    private static Fields parse(ObjectMapper mapper, String format, Path file, byte[] bytes) {
        try {
            Map<String, @Nullable Object> values = mapper.readValue(bytes, RECORD);
            if (values == null) {
                throw new BadInputException(Location.of(file), "the file is empty", "it must hold one record");
            }
            return new Fields(Location.of(file), values);
        } catch (JacksonException broken) {
            throw malformed(format, file, broken);
        }
    }

    /** One-line error for malformed content, at the parser's line. */
    public static BadInputException malformed(String format, Path file, JacksonException broken) {
        TokenStreamLocation place = broken.getLocation();
        long line = place == null ? 0 : Math.max(0, place.getLineNr());
        return malformed(format, new Location(file, line), broken);
    }

    /** One-line error for malformed content. */
    public static BadInputException malformed(String format, Location where, JacksonException broken) {
        TokenStreamLocation place = broken.getLocation();
        String column = place == null || place.getColumnNr() <= 0 ? "" : " at column " + place.getColumnNr();
        String first = broken.getOriginalMessage().lines().findFirst().orElse("");
        // What Jackson could be told to accept is nothing that a person can change.
        String problem = first.split(": enable ", 2)[0].stripTrailing();
        return new BadInputException(where, "not " + format + column + ": " + problem, "", broken);
    }
}
