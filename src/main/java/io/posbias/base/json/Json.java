package io.posbias.base.json;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.posbias.base.files.Checksums;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Pointers;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Printable;
import java.io.ByteArrayOutputStream;
import java.io.Serial;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
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
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLParser;

/** JSON and YAML with strict keys and one-line errors. */
public final class Json {
    /** Limit for YAML files in bytes: parsing a quoted text takes quadratic time. */
    private static final long MOST_YAML = 1_000_000;

    private static final String ALIAS =
            "has an alias of YAML (*NAME), which posbias does not read: write the value again";

    private static final TypeReference<Map<String, @Nullable Object>> RECORD = new TypeReference<>() {};

    private Json() {}

    /**
     * Created lazily: {@code --version} does not load Jackson. A value of another type is refused, not converted: a text is
     * no number, a number no text and no place in an enum, a fraction no whole number.
     */
    private static final class Mappers {
        static final JsonMapper JSON = JsonMapper.builder()
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .withCoercionConfig(
                        LogicalType.Textual,
                        text -> Stream.of(
                                        CoercionInputShape.Integer,
                                        CoercionInputShape.Float,
                                        CoercionInputShape.Boolean)
                                .forEach(shape -> text.setCoercion(shape, CoercionAction.Fail)))
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .changeDefaultVisibility(seen -> seen.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .annotationIntrospector(new Nullness())
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
            return type == null
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
     * Binds what a program wrote, fields with underscores, to a Java record.
     *
     * @throws BadInputException if a field is missing, mistyped or infinite
     */
    public static <T> T bind(Fields fields, Class<T> type) {
        return Binder.DATA.bind(fields, type);
    }

    /**
     * Binds a row of data, as {@link #bind} does, but refuses a field that is a misspelt name of an absent one.
     *
     * @throws BadInputException if a field is missing, mistyped, misspelt or infinite
     */
    public static <T> T row(Fields fields, Class<T> type) {
        return Binder.ROWS.bind(fields, type);
    }

    /**
     * Binds what a person wrote, hyphenated fields whose ranges are declared with {@link Setting}, to a Java record.
     *
     * @throws BadInputException if a setting is unknown, missing or out of range
     */
    public static <T> T settings(Fields fields, Class<T> type) {
        return Binder.SETTINGS.bind(fields, type);
    }

    /** Reads a field, which is present, of a record; it may have several shapes, such as a name or a record. */
    @FunctionalInterface
    public interface FieldReader<T> {
        T read(Fields record, String field);
    }

    /**
     * Binds what a person wrote.
     *
     * @param part type of components that {@code reader} reads, at any depth
     * @throws BadInputException if a setting is unknown, missing or out of range
     */
    public static <T, P> T settings(Fields fields, Class<T> type, Class<P> part, FieldReader<P> reader) {
        return Binder.SETTINGS.with(part, reader).bind(fields, type);
    }

    /**
     * Returns the name of a component in files and options: that of {@link JsonProperty}, else its own in lower case.
     *
     * @param separator of words: {@code -} for what people write, {@code _} for what programs write
     */
    public static String name(RecordComponent component, String separator) {
        JsonProperty given = component.getAccessor().getAnnotation(JsonProperty.class);
        return given == null || given.value().isEmpty()
                ? component.getName().replaceAll("([A-Z])", separator + "$1").toLowerCase(Locale.ROOT)
                : given.value();
    }

    /** Returns the names of the fields that {@link #settings} binds to a record's components. */
    public static SequencedSet<String> names(Class<?> type) {
        return Binder.SETTINGS.names(type);
    }

    /** Returns a SHA-256 of those fields that {@link #settings} binds to a record's components, independent of their order. */
    public static String fingerprint(Fields fields, Class<?> type) {
        Map<String, @Nullable Object> some = new TreeMap<>();
        names(type).stream().filter(fields::has).forEach(name -> some.put(name, fields.raw(name)));
        return Checksums.sha256(Mappers.JSON.writeValueAsBytes(some));
    }

    /** The JSON mapper; record components are in snake case. */
    public static JsonMapper mapper() {
        return Mappers.JSON;
    }

    public static Fields readJson(Path file) {
        return read(Mappers.JSON, "JSON", file);
    }

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

    /** Parses a YAML text of the program itself. */
    static Object yaml(String yaml) {
        return Mappers.YAML.readValue(yaml, Object.class);
    }

    /**
     * Parses the value of an option as YAML.
     *
     * @throws UsageException if it is empty or malformed
     */
    public static Object yamlValue(String option, String yaml) {
        try {
            if (alias(yaml.getBytes(StandardCharsets.UTF_8)) != null) {
                throw new UsageException(option + ": " + Printable.quoted(yaml) + " " + ALIAS);
            }
            Object value = yaml.isBlank() ? null : Mappers.YAML.readValue(yaml, Object.class);
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

    /** Serialises each value as one line. */
    public static byte[] toLines(Collection<?> values) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        values.forEach(value -> lines.writeBytes(toLine(value)));
        return lines.toByteArray();
    }

    /** Serialises a map or record as YAML with JSON's names; characters that reorder a line are escaped. */
    public static String toYaml(Object record) {
        return Printable.document(Mappers.YAML
                .writeValueAsString(Mappers.JSON.convertValue(record, Object.class))
                .replaceFirst("^---\\s*\\n", ""));
    }

    private static Fields read(ObjectMapper mapper, String format, Path file) {
        return parse(mapper, format, file, Pointers.content(file));
    }

    private static Fields parse(ObjectMapper mapper, String format, Path file, byte[] bytes) {
        try {
            TokenStreamLocation alias = mapper.equals(Mappers.YAML) ? alias(bytes) : null;
            if (alias != null) {
                throw new BadInputException(new Location(file, alias.getLineNr()), ALIAS, "");
            }
            Map<String, @Nullable Object> values = mapper.readValue(bytes, RECORD);
            if (values == null) {
                throw new BadInputException(Location.of(file), "the file is empty", "it must hold one record");
            }
            return new Fields(Location.of(file), values);
        } catch (JacksonException broken) {
            throw malformed(format, file, broken);
        }
    }

    /** Finds an alias of YAML, {@code *name}, which the mapper reads as the text {@code name}; null without one. */
    private static @Nullable TokenStreamLocation alias(byte[] yaml) {
        String text = new String(yaml, StandardCharsets.ISO_8859_1);
        if (!text.contains("&") || !text.contains("*")) {
            return null;
        }
        try (JsonParser parser = Mappers.YAML.createParser(yaml)) {
            while (parser.nextToken() != null) {
                if (parser instanceof YAMLParser own && own.isCurrentAlias()) {
                    return parser.currentTokenLocation();
                }
            }
            return null;
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
        String problem = Malformed.describe(broken);
        if (broken instanceof MismatchedInputException) {
            return new BadInputException(where, "holds " + problem, "", broken);
        }
        return new BadInputException(
                where, "not " + format + column + (problem.isEmpty() ? "" : ": " + problem), "", broken);
    }
}
