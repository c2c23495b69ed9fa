package io.posbias.report.leaderboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.report.Results;
import io.posbias.score.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MtebFilesTest {
    private static final Path GOLDEN = Path.of("src/test/resources/io/posbias/report/mteb.json.golden");
    private static final String FOLDER = "posbias__bm25/" + "ab".repeat(32);

    @TempDir
    Path temp;

    @Test
    void writesTheLayoutOfTheResultsRepository() throws IOException {
        Result result = Results.of("bm25", "sparse", "squad-posq", 0.75);
        Result other = Results.of("bm25", "sparse", "posir/fra-Latn-eng-Latn/mining", 0.75);
        assertThat(MtebFiles.write(temp, List.of(result, other))).isEqualTo(3);
        String text = Files.readString(temp.resolve(FOLDER).resolve("squad-posq.json"));
        if ("write".equals(System.getProperty("posbias.golden"))) {
            Files.writeString(GOLDEN, text);
        }
        assertThat(text).isEqualTo(Files.readString(GOLDEN));
        assertThat(temp.resolve(FOLDER).resolve("posir__fra-Latn-eng-Latn__mining.json"))
                .content()
                .contains("\"languages\" : [ \"fra-Latn\", \"eng-Latn\" ]");
        Fields meta = Json.readJson(temp.resolve(FOLDER).resolve("model_meta.json"));
        assertThat(meta.text("name")).isEqualTo("posbias/bm25");
        assertThat(meta.text("revision")).isEqualTo("ab".repeat(32));
    }

    /** What mteb's TaskResult demands: these fields, and in each entry of scores these three, all of it JSON. */
    @Test
    void hasWhatMtebsReaderDemands() {
        Result result = Results.of("bm25", "sparse", "squad-posq", 0.75);
        MtebFiles.write(temp, List.of(result));
        Fields task = Json.readJson(temp.resolve(FOLDER).resolve("squad-posq.json"));
        assertThat(task.names())
                .containsExactly(
                        "dataset_revision",
                        "task_name",
                        "mteb_version",
                        "scores",
                        "evaluation_time",
                        "kg_co2_emissions");
        assertThat(task.text("dataset_revision")).hasSize(64);
        Fields scores = task.record("scores").records("test").getFirst();
        assertThat(scores.number("main_score")).isEqualTo(0.6543);
        assertThat(scores.number("ndcg_at_10")).isEqualTo(0.6543);
        assertThat(scores.number("recall_at_5")).isZero();
        assertThat(scores.text("hf_subset")).isEqualTo("default");
        assertThat(scores.texts("languages")).containsExactly("eng-Latn");
    }

    @Test
    void saysWhereWeightsComeFrom() {
        Result result = Results.of("bm25", "sparse", "squad-posq", 0.75);
        Map<String, Object> recipe = new LinkedHashMap<>();
        recipe.put("source", Map.of("hub", "BAAI/bge-m3", "revision", "main"));
        recipe.put("max-tokens", 8192);
        recipe.put("dimension", 1024);
        result.recipe().putAll(recipe);
        MtebFiles.write(temp, List.of(result));
        Fields meta = Json.readJson(temp.resolve(FOLDER).resolve("model_meta.json"));
        assertThat(meta.text("adapted_from")).isEqualTo("BAAI/bge-m3");
        assertThat(meta.text("reference")).isEqualTo("https://huggingface.co/BAAI/bge-m3");
        assertThat(meta.integer("max_tokens")).isEqualTo(8192);
        assertThat(meta.integer("embed_dim")).isEqualTo(1024);
    }

    /** mteb's ModelMeta demands every field without a default, and refuses unknown fields, licences and types. */
    @Test
    void describesAModelInMtebsWords() {
        Fields meta = meta(Map.of("kind", "late-interaction", "licence", "terms of service"));
        assertThat(meta.names())
                .contains("memory_usage_mb", "public_training_data")
                .doesNotContain("licence", "kind");
        assertThat(meta.has("license")).isFalse();
        assertThat(meta.texts("model_type")).containsExactly("late-interaction");
        assertThat(meta.text("similarity_fn_name")).isEqualTo("MaxSim");
        assertThat(meta(Map.of("kind", "bm25", "licence", "mit")).text("license"))
                .isEqualTo("mit");
        assertThat(meta(Map.of("kind", "bm25")).texts("model_type")).containsExactly("sparse");
        assertThat(meta(Map.of("kind", "worker", "gives", "cross-encoder")).texts("model_type"))
                .containsExactly("cross-encoder");
        assertThat(meta(Map.of("kind", "embedding-api")).texts("model_type")).containsExactly("dense");
    }

    private Fields meta(Map<String, Object> recipe) {
        Result result = Results.of("bm25", "sparse", "squad-posq", 0.75);
        result.recipe().clear();
        result.recipe().putAll(recipe);
        MtebFiles.write(temp, List.of(result));
        return Json.readJson(temp.resolve(FOLDER).resolve("model_meta.json"));
    }
}
