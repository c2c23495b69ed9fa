package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.posbias.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Holds a document against a schema of docs/schema, and the schema against the document: with any field missing, added or of
 * another type it must refuse it.
 */
final class SchemaCheck {
    /** Of a list, where many elements are alike. */
    private static final int ELEMENTS = 3;

    private final Schema schema;
    private final Object document;
    private final Set<String> optional;
    private final Set<String> met = new HashSet<>();

    private SchemaCheck(Schema schema, String json, Set<String> optional) {
        this.schema = schema;
        this.document = Json.mapper().readValue(json, Object.class);
        this.optional = optional;
    }

    /** The schema of a name without {@code .schema.json}; those that it refers to are read from its folder. */
    static Schema read(String name) throws IOException {
        Map<String, String> all = new HashMap<>();
        try (Stream<Path> files = Files.list(Path.of("docs/schema"))) {
            for (Path file : files.toList()) {
                all.put("https://posbias.io/schema/" + file.getFileName(), Files.readString(file));
            }
        }
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(all))
                .getSchema(Files.readString(Path.of("docs/schema", name + ".schema.json")), InputFormat.JSON);
    }

    /** Whether a document is as a schema says. */
    static boolean takes(Schema schema, String json) {
        return schema.validate(json, InputFormat.JSON).isEmpty();
    }

    /**
     * Checks both.
     *
     * @param optional fields of this document that may be missing, by their path without places in lists: a.b.c, or a.b.*
     *     for all; each must be there
     */
    static void check(String name, String json, String... optional) throws IOException {
        Schema schema = read(name);
        assertThat(schema.validate(json, InputFormat.JSON)).as(json).isEmpty();
        SchemaCheck check = new SchemaCheck(schema, json, Set.of(optional));
        check.visit(check.document, "");
        assertThat(check.met).containsAll(List.of(optional));
    }

    private boolean taken() {
        return takes(schema, Json.mapper().writeValueAsString(document));
    }

    private void visit(@Nullable Object node, String path) {
        if (node instanceof Map<?, ?>) {
            visitFields(fields(node), path);
        } else if (node instanceof List<?>) {
            List<@Nullable Object> list = elements(node);
            for (int i = 0; i < Math.min(ELEMENTS, list.size()); i++) {
                Object before = list.get(i);
                list.set(i, another(before));
                assertThat(taken()).as(path + ": an element of another type").isFalse();
                list.set(i, before);
                visit(before, path);
            }
        }
    }

    private void visitFields(Map<String, @Nullable Object> fields, String path) {
        // Where any name may be, no value may be below 0.
        fields.put("no such field", -1);
        assertThat(taken()).as(path + ": a field more").isFalse();
        fields.remove("no such field");
        for (String name : List.copyOf(fields.keySet())) {
            String own = path.isEmpty() ? name : path + "." + name;
            Object before = fields.get(name);
            fields.put(name, another(before));
            assertThat(taken()).as(own + " of another type").isFalse();
            fields.remove(name);
            boolean missable = optional.contains(own) || optional.contains(path + ".*") || path.endsWith("_sha256");
            assertThat(taken()).as(own + " missing").isEqualTo(missable);
            fields.put(name, before);
            met.add(own);
            met.add(path + ".*");
            visit(before, own);
        }
    }

    private static Object another(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case String text -> text.isEmpty();
            case Map<?, ?> map -> List.of(map.size());
            case List<?> list -> Map.of("size", list.size());
            default -> "text";
        };
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> fields(Object node) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(node);
    }

    @SuppressWarnings("unchecked")
    private static List<@Nullable Object> elements(Object node) {
        return (List<@Nullable Object>) Objects.requireNonNull(node);
    }
}
