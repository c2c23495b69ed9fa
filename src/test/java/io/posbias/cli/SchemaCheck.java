package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

final class SchemaCheck {
    private SchemaCheck() {}

    static Schema read(String name) throws IOException {
        return of(Files.readString(Path.of("docs/schema", name + ".schema.json")));
    }

    /** Returns a schema, which may refer to those of the documentation. */
    static Schema of(String schema) throws IOException {
        Map<String, String> all = new HashMap<>();
        try (Stream<Path> files = Files.list(Path.of("docs/schema"))) {
            for (Path file : files.toList()) {
                all.put("https://posbias.io/schema/" + file.getFileName(), Files.readString(file));
            }
        }
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(all))
                .getSchema(schema, InputFormat.JSON);
    }

    static boolean takes(Schema schema, String json) {
        return schema.validate(json, InputFormat.JSON).isEmpty();
    }

    static void check(String name, String json) throws IOException {
        assertThat(read(name).validate(json, InputFormat.JSON)).as(json).isEmpty();
    }
}
