package io.posbias.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** result.json: its schema holds for what is written, and what is written is read back. */
public class ResultFileTest {
    private static final Path SCHEMA = Path.of("docs/schema/result-1.schema.json");

    @TempDir
    Path temp;

    /** What the schema has against a document; empty when it is valid. */
    public static List<String> violations(String json) throws IOException {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
        return schema.validate(json, InputFormat.JSON).stream()
                .map(String::valueOf)
                .toList();
    }

    private static String json(Result... results) {
        return new String(ResultFile.toBytes(List.of(results)), StandardCharsets.UTF_8);
    }

    @Test
    void whatIsWrittenIsValid() throws IOException {
        assertThat(violations(json(Results.of("bm25", "sparse", "demo", 0.75)))).isEmpty();
        assertThat(violations(json())).isEmpty();
    }

    @Test
    void theSchemaRefusesPointsAndMissingNumbers() throws IOException {
        String json = json(Results.of("bm25", "sparse", "demo", 0.75));
        assertThat(violations(json.replace("\"mean\" : 0.75", "\"mean\" : 75"))).isNotEmpty();
        assertThat(violations(json.replace("\"query_mean\"", "\"mean_of_queries\"")))
                .isNotEmpty();
        assertThat(violations(json.replace("posbias/result/1", "posbias/result/2")))
                .isNotEmpty();
    }

    @Test
    void readsBackWhatItWrote() throws IOException {
        Result result = Results.of("bm25", "sparse", "demo", 0.75);
        Path file = temp.resolve("result.json");
        ResultFile.write(file, List.of(result));
        List<Result> read = ResultFile.read(file);
        assertThat(read).hasSize(1);
        assertThat(json(read.getFirst())).isEqualTo(json(result));
        assertThat(read.getFirst().profiles()).isEqualTo(result.profiles());
        assertThat(read.getFirst().settings()).isEqualTo(result.settings());
    }

    @Test
    void hasTheShapeThatOthersRelyOn() {
        assertThat(json(Results.of("bm25", "sparse", "demo", 0.75)))
                .startsWith("""
                        {
                          "schema" : "posbias/result/1",
                          "results" : [ {
                            "model" : "bm25",
                            "family" : "sparse",
                            "dataset" : "demo",
                        """)
                .contains("\"psi\" : {\n        \"value\" : 0.6666666666666667,")
                .contains("\"undefined\" : \"all buckets score 0\"");
    }

    @Test
    void refusesWhatIsNoResult() throws IOException {
        assertThatThrownBy(() -> ResultFile.read(temp.resolve("none.json")))
                .hasMessage("cannot read " + temp.resolve("none.json") + ": no such file");
        Path file = Files.writeString(temp.resolve("x.json"), "{\"schema\": \"posbias/result/9\"}");
        assertThatThrownBy(() -> ResultFile.read(file))
                .hasMessage(file + ": schema \"posbias/result/9\"; this version of posbias reads posbias/result/1");
        Path other = Files.writeString(temp.resolve("y.json"), "{\"a\": 1}");
        assertThatThrownBy(() -> ResultFile.read(other))
                .hasMessage(other + ": no field \"schema\"; this version of posbias reads posbias/result/1");
        Path half = Files.writeString(temp.resolve("z.json"), "{\"schema\": \"posbias/result/1\", \"results\": [{}]}");
        assertThatThrownBy(() -> ResultFile.read(half))
                .hasMessage(half + ": field \"results[0].model\" is missing; fields found: none");
    }
}
