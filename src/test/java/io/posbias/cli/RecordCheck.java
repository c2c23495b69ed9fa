package io.posbias.cli;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.posbias.base.json.Json;
import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsonFormatVisitors.JsonArrayFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitable;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonMapFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import tools.jackson.databind.node.ObjectNode;

/**
 * Holds the Java records that posbias writes against a schema of docs/schema, field by field and without a document: Jackson
 * says which fields it would write of each, the schema must name the same, require those that are always written and take null
 * where a field may be null.
 */
final class RecordCheck {
    private static final Pattern OTHER = Pattern.compile("\"([\\w-]+\\.schema\\.json)#/");

    private final JsonNode root;
    private final List<String> problems = new ArrayList<>();

    private RecordCheck(JsonNode root) {
        this.root = root;
    }

    /**
     * What differs, a line each.
     *
     * @param name of the schema without {@code .schema.json}
     * @param definition where in it the records are described: a name in {@code $defs}, or empty for the whole
     * @param kinds of records that the schema describes: each of its fields is one of some kind, and those that it
     *     requires are in all of them
     */
    static List<String> problems(String name, String definition, Class<?>... kinds) throws IOException {
        JsonNode root = read(name + ".schema.json");
        RecordCheck check = new RecordCheck(root);
        Described top = check.described(List.of(definition.isEmpty() ? root : root.at("/$defs/" + definition)));
        Set<String> written = new TreeSet<>();
        Set<String> always = new TreeSet<>(top.names());
        for (Class<?> kind : kinds) {
            Fields fields = check.new Fields(name, top);
            Json.mapper().acceptJsonFormatVisitor(kind, new JsonFormatVisitorWrapper.Base() {
                @Override
                public JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
                    fields.context = getContext();
                    return fields.visitor();
                }
            });
            written.addAll(fields.written);
            always.retainAll(fields.always);
        }
        check.compare(name, top, written, always);
        return check.problems;
    }

    private static JsonNode read(String file) throws IOException {
        return bundled(Json.mapper().readTree(Files.readString(Path.of("docs/schema", file))));
    }

    private static JsonNode bundled(JsonNode schema) throws IOException {
        String text = schema.toString();
        Set<String> others = new TreeSet<>();
        Matcher matcher = OTHER.matcher(text);
        while (matcher.find()) {
            others.add(matcher.group(1));
        }
        ObjectNode bundle = (ObjectNode) Json.mapper().readTree(matcher.replaceAll("\"#/\\$defs/$1/"));
        for (String other : others) {
            String own = read(other).toString().replace("\"#/", "\"#/$defs/" + other + "/");
            bundle.withObject("/$defs").set(other, Json.mapper().readTree(own));
        }
        return bundle;
    }

    private void compare(String path, Described described, Set<String> written, Set<String> always) {
        if (!written.equals(described.names())) {
            problems.add(path + ": written are " + written + ", the schema has " + described.names());
        }
        if (!always.equals(described.required())) {
            problems.add(path + ": always written are " + always + ", the schema requires " + described.required());
        }
    }

    private record Described(List<JsonNode> parts) {
        Set<String> names() {
            Set<String> names = new TreeSet<>();
            parts.forEach(part -> names.addAll(part.path("properties").propertyNames()));
            return names;
        }

        Set<String> required() {
            Set<String> required = new TreeSet<>();
            parts.forEach(part -> part.path("required").forEach(name -> required.add(name.asString())));
            return required;
        }

        /** What is said of a field, of elements ("items") or of values under any name ("additionalProperties"). */
        List<JsonNode> of(String... place) {
            return parts.stream()
                    .map(part -> Stream.of(place).reduce(part, JsonNode::path, (one, other) -> other))
                    .filter(JsonNode::isObject)
                    .toList();
        }

        boolean takesNull() {
            return parts.stream()
                    .anyMatch(part -> Stream.concat(
                                    Stream.of(part.path("type")),
                                    Stream.concat(
                                            part.path("type").valueStream(),
                                            part.path("enum").valueStream()))
                            .anyMatch(type -> type.isNull() || type.asString("").equals("null")));
        }
    }

    private Described described(List<JsonNode> nodes) {
        List<JsonNode> parts = new ArrayList<>();
        nodes.forEach(node -> gather(node, parts));
        return new Described(parts);
    }

    private void gather(JsonNode node, List<JsonNode> parts) {
        parts.add(node);
        if (node.has("$ref")) {
            gather(root.at(node.path("$ref").asString().substring(1)), parts);
        }
        for (JsonNode alternative : node.path("oneOf")) {
            // Others only say which fields exclude each other.
            if (alternative.has("$ref") || alternative.has("type")) {
                gather(alternative, parts);
            }
        }
    }

    private final class Fields {
        private final String path;
        private final Described described;
        private final Set<String> written = new LinkedHashSet<>();
        private final Set<String> always = new LinkedHashSet<>();
        private @Nullable SerializationContext context;

        Fields(String path, Described described) {
            this.path = path;
            this.described = described;
        }

        JsonObjectFormatVisitor visitor() {
            return new JsonObjectFormatVisitor.Base(context) {
                @Override
                public void property(BeanProperty property) {
                    add(property, getContext());
                }

                @Override
                public void optionalProperty(BeanProperty property) {
                    add(property, getContext());
                }
            };
        }

        private void add(BeanProperty property, SerializationContext inside) {
            String name = property.getName();
            written.add(name);
            boolean nullable = isNullable(property);
            JsonInclude.Include inclusion = inclusion(property);
            if (!isLeftOut(property, inclusion, nullable)) {
                always.add(name);
            }
            Described own = described(described.of("properties", name));
            String place = path + "." + name;
            if (nullable
                    && inclusion == JsonInclude.Include.ALWAYS
                    && !own.parts().isEmpty()
                    && !own.takesNull()) {
                problems.add(place + " may be null, which the schema does not say");
            }
            if (!own.parts().isEmpty()) {
                ValueSerializer<Object> serializer = inside.findPrimaryPropertySerializer(property.getType(), property);
                JsonFormat format = property.getAnnotation(JsonFormat.class);
                visit(place, own, serializer, property.getType(), format, inside);
            }
        }
    }

    private void visit(
            String path,
            Described described,
            JsonFormatVisitable serializer,
            JavaType declared,
            @Nullable JsonFormat own,
            SerializationContext context) {
        JsonFormat format = own != null ? own : declared.getRawClass().getAnnotation(JsonFormat.class);
        if (format != null && format.shape() == JsonFormat.Shape.ARRAY) {
            int size = declared.getRawClass().getRecordComponents().length;
            if (described.parts().stream()
                    .noneMatch(part -> part.path("minItems").asInt(0) == size)) {
                problems.add(path + " is a list of " + size + ", which the schema does not say");
            }
            return;
        }
        List<Fields> objects = new ArrayList<>();
        serializer.acceptJsonFormatVisitor(
                new JsonFormatVisitorWrapper.Base(context) {
                    @Override
                    public JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
                        Fields fields = new Fields(path, described);
                        fields.context = getContext();
                        objects.add(fields);
                        return fields.visitor();
                    }

                    @Override
                    public JsonArrayFormatVisitor expectArrayFormat(JavaType type) {
                        return new JsonArrayFormatVisitor.Base(getContext()) {
                            @Override
                            public void itemsFormat(JsonFormatVisitable elements, JavaType element) {
                                inside(path + "[]", described, "items", element, getContext());
                            }
                        };
                    }

                    @Override
                    public JsonMapFormatVisitor expectMapFormat(JavaType type) {
                        return new JsonMapFormatVisitor.Base(getContext()) {
                            @Override
                            public void valueFormat(JsonFormatVisitable values, JavaType value) {
                                inside(path + ".*", described, "additionalProperties", value, getContext());
                            }
                        };
                    }
                },
                declared);
        objects.forEach(fields -> compare(path, described, fields.written, fields.always));
        if (objects.isEmpty() && !described.names().isEmpty() && !declared.isMapLikeType()) {
            problems.add(path + " has no fields, the schema says it has " + described.names());
        }
    }

    private void inside(String path, Described outside, String place, JavaType type, SerializationContext context) {
        if (!type.getRawClass().isRecord()) {
            return;
        }
        Described described = described(outside.of(place));
        if (described.parts().isEmpty()) {
            problems.add(path + ": the schema does not say what it holds");
            return;
        }
        visit(path, described, context.findValueSerializer(type), type, null, context);
    }

    /** Whether a field's value may be null: as the component of a record or as the method that makes it says. */
    private static boolean isNullable(BeanProperty property) {
        Class<?> owner = property.getMember().getDeclaringClass();
        try {
            Method method = owner.getDeclaredMethod(property.getMember().getName());
            AnnotatedType type = method.getAnnotatedReturnType();
            return type.isAnnotationPresent(Nullable.class);
        } catch (NoSuchMethodException none) {
            throw new AssertionError(none);
        }
    }

    private static JsonInclude.Include inclusion(BeanProperty property) {
        JsonInclude own = property.getAnnotation(JsonInclude.class);
        JsonInclude general = property.getMember().getDeclaringClass().getAnnotation(JsonInclude.class);
        return own != null ? own.value() : general != null ? general.value() : JsonInclude.Include.ALWAYS;
    }

    private static boolean isLeftOut(BeanProperty property, JsonInclude.Include inclusion, boolean nullable) {
        return switch (inclusion) {
            case NON_NULL -> nullable;
            case NON_EMPTY ->
                nullable
                        || property.getType().isContainerType()
                        || property.getType().hasRawClass(String.class);
            case NON_DEFAULT -> true;
            case ALWAYS -> false;
            default -> throw new AssertionError(property + ": " + inclusion);
        };
    }
}
