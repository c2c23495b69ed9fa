package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What probes and diagnoses write is what docs/schema says. */
class SchemaTest {
    @TempDir
    Path temp;

    private static void check(String schema, String json) throws IOException {
        Schema read = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(Path.of("docs/schema", schema + ".schema.json")), InputFormat.JSON);
        assertThat(read.validate(json, InputFormat.JSON)).as(json).isEmpty();
        // A schema that takes anything would say nothing.
        assertThat(read.validate(json.replaceFirst("\"schema\"", "\"scheme\""), InputFormat.JSON))
                .isNotEmpty();
    }

    private String result(Object... words) throws IOException {
        Path out = temp.resolve("out");
        Object[] all = Stream.concat(Arrays.stream(words), Stream.of("--model", "bm25", "--output", out))
                .toArray();
        Cli.Ended ended = Cli.run(all);
        assertThat(ended.code()).as(ended.err()).isZero();
        return Files.readString(out.resolve("bm25/result.json"));
    }

    @Test
    void probes() throws IOException {
        String pair = "{\"id\": \"%s\", \"query\": \"a b\", \"text1\": \"a b c\", \"text2\": \"%s\"}";
        Path one = Files.writeString(temp.resolve("one.jsonl"), pair.formatted("x", "c"));
        Path two = Files.write(temp.resolve("two.jsonl"), List.of(pair.formatted("x", "c"), pair.formatted("y", "a")));
        Path grid = Files.writeString(
                temp.resolve("grid.jsonl"),
                "{\"id\": \"x\", \"query\": \"a\", \"text1\": \"a\","
                        + " \"tags\": {\"heads_band\": \"1\", \"words_band\": \"131-160\"}}");
        check("probe-result-1", result("probe", "run", "--pairs", one, "--pairs", two, "--pairs", grid));
    }

    @Test
    void moving() throws IOException {
        check("diagnose-result-1", result("diagnose", "moving", "--dataset", "demo", "--n", 3));
    }

    @Test
    void needle() throws IOException {
        check("diagnose-result-1", result("diagnose", "needle", "--dataset", "demo", "--n", 3));
    }

    @Test
    void reversal() throws IOException {
        check("reversal-1", result("diagnose", "reversal", "--dataset", "demo"));
    }
}
