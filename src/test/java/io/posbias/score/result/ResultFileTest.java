package io.posbias.score.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.posbias.report.Results;
import io.posbias.score.measure.Profile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class ResultFileTest {
    private static final Path SCHEMA = Path.of("docs/schema/result-5.schema.json");

    @TempDir
    Path temp;

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
        assertThat(violations(json.replace("posbias/result/5", "posbias/result/1")))
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
                      "schema" : "posbias/result/5",
                      "results" : [ {
                        "model" : "bm25",
                        "family" : "sparse",
                        "dataset" : "demo",
                    """)
                .contains("\"psi\" : {\n        \"value\" : 0.6666666666666667,")
                .contains("\"interval\" : [ 0.4, 0.8 ]")
                .contains("\"outcome\" : \"differ\"", "\"verdicts\" : [ \"content\" ]")
                .contains("\"undefined\" : \"all buckets score 0\"");
    }

    /** What an earlier version wrote: no intervals, no direction, no confidence. */
    @Test
    void readsTheFirstSchema() throws IOException {
        Path file = Files.writeString(temp.resolve("old.json"), """
            {
              "schema" : "posbias/result/1",
              "results" : [ {
                "model" : "bm25", "family" : "sparse", "dataset" : "demo",
                "queries" : { "judged" : 2, "unjudged" : 0, "in_several_buckets" : 0, "in_no_bucket" : 0,
                              "unanswered" : 0 },
                "profiles" : [ {
                  "measure" : "nDCG@10", "stratum" : "all", "queries" : 2, "query_mean" : 0.75,
                  "bucket_mean" : 0.75,
                  "psi" : { "value" : 0.5, "p_value" : 0.4, "noise_floor" : { "mean" : 0.1, "p95" : 0.2 } },
                  "buckets" : [ { "bucket" : "beginning", "queries" : 1, "mean" : 1.0, "thin" : true },
                                { "bucket" : "end", "queries" : 1, "mean" : 0.5, "thin" : true } ]
                } ],
                "settings" : { "k" : 100, "measures" : [ "nDCG@10" ], "buckets" : "labels:beginning,end",
                               "thin_below" : 30, "draws" : 100, "seed" : 42 },
                "recipe" : { "name" : "bm25" }, "recipe_sha256" : "", "dataset_sha256" : {},
                "environment" : {}, "seconds" : {}
              } ]
            }
            """);
        Profile profile = ResultFile.read(file).getFirst().profiles().getFirst();
        assertThat(profile.psi().value()).isEqualTo(0.5);
        assertThat(profile.psi().noise95()).isEqualTo(0.2);
        assertThat(profile.psi().interval()).isNull();
        assertThat(profile.direction()).isNull();
        assertThat(profile.buckets().getLast().interval()).isNull();
        assertThat(ResultFile.read(file).getFirst().settings().confidence()).isZero();
    }

    @Test
    void refusesAnIntervalThatIsNone() throws IOException {
        String json = json(Results.of("bm25", "sparse", "demo", 0.75)).replace("[ 0.4, 0.8 ]", "[ 0.8, 0.4 ]");
        Path file = Files.writeString(temp.resolve("interval.json"), json);
        assertThatThrownBy(() -> ResultFile.read(file))
                .hasMessageContainingAll(file + ": ", "results[0].profiles[0].psi.interval", "[0.8, 0.4]");
    }

    @Test
    void refusesWhatIsNoResult() throws IOException {
        assertThatThrownBy(() -> ResultFile.read(temp.resolve("none.json")))
                .hasMessage("cannot read " + temp.resolve("none.json") + ": file not found");
        Path file = Files.writeString(temp.resolve("x.json"), "{\"schema\": \"posbias/result/9\"}");
        assertThatThrownBy(() -> ResultFile.read(file))
                .hasMessageContainingAll(file + ": ", "posbias/result/9", "posbias/result/1", "posbias/result/5");
        Path other = Files.writeString(temp.resolve("y.json"), "{\"a\": 1}");
        assertThatThrownBy(() -> ResultFile.read(other))
                .hasMessageContainingAll(other + ": ", "\"schema\"", "posbias/result/1", "posbias/result/5");
        Path half = Files.writeString(temp.resolve("z.json"), "{\"schema\": \"posbias/result/1\", \"results\": [{}]}");
        assertThatThrownBy(() -> ResultFile.read(half))
                .hasMessageContainingAll(half + ": ", "\"results[0].", "missing");
        String good = json(Results.of("bm25", "sparse", "demo", 0.75));
        Path text = Files.writeString(temp.resolve("k.json"), good.replace("\"k\" : 100", "\"k\" : \"many\""));
        assertThatThrownBy(() -> ResultFile.read(text)).hasMessageContainingAll("\"results[0].settings.k\"", "many");
    }
}
