package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.study.calibrate.ExpectedEffects;
import io.posbias.study.calibrate.ExpectedEffects.Effect;
import io.posbias.study.calibrate.PlantedProbes;
import io.posbias.study.calibrate.ReferenceSpec;
import io.posbias.study.calibrate.ReferenceSpec.ReferenceKind;
import io.posbias.study.probe.ProbeItem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrateReferencesTest {
    @TempDir
    Path temp;

    private Path probes() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (ProbeItem item : PlantedProbes.items(30, 3)) {
            if (item.probe().name().equals("position")) {
                Map<String, Object> record = Map.of(
                        "probe", "position",
                        "id", item.id(),
                        "query", item.query(),
                        "text1", item.text1(),
                        "text2", Objects.requireNonNull(item.text2()));
                lines.append(Json.mapper().writeValueAsString(record)).append('\n');
            }
        }
        Path folder = Files.createDirectories(temp.resolve("probes"));
        Files.writeString(folder.resolve("position.jsonl"), lines);
        return folder;
    }

    @Test
    void everyReferenceDoesOnProbesWhatWasBuiltIn() throws IOException {
        Path data = probes();
        Cli.Ended written = Cli.run("calibrate references --data", data, "--out", temp.resolve("refs"))
                .ok();
        assertThat(written.err()).endsWith(" words; literal encoders are left out\n");
        List<String> recipes = written.out().lines().toList();
        assertThat(recipes).hasSize(21).noneMatch(recipe -> recipe.contains("literal"));
        Path out = temp.resolve("out");
        Cli.run("probe run --data", data, "--model", String.join(",", recipes), "--no-cache --out", out)
                .ok();
        for (ReferenceSpec planted : ReferenceSpec.all()) {
            if (planted.kind() != ReferenceKind.LITERAL) {
                Fields test = Json.readJson(out.resolve(planted.model()).resolve("result.json"))
                        .records("tests")
                        .getFirst();
                double difference = test.record("difference").number("value");
                double pValue = test.record("difference").number("p_value");
                Effect found = Math.abs(difference) < 1e-5
                        ? Effect.ZERO
                        : pValue > 0.01 ? Effect.NOISE : difference > 0 ? Effect.MORE : Effect.LESS;
                assertThat(found)
                        .as(planted.model())
                        .isEqualTo(ExpectedEffects.of(planted, "position", "text1 - text2"));
            }
        }
    }

    @Test
    void wordsOfABenchmarkAreKnown() throws IOException {
        Path refs = temp.resolve("refs");
        Cli.Ended ended = Cli.run("calibrate references --dataset demo --out", refs, "--reference reference-primacy-2")
                .ok();
        Path folder = refs.resolve("reference-primacy-2");
        assertThat(ended.out()).isEqualTo(folder.resolve("recipe.yaml") + "\n");
        assertThat(folder.resolve("tokenizer.json"))
                .content(StandardCharsets.UTF_8)
                .contains("\"the\" : ");
        Recipe recipe = RecipeBook.find(folder.resolve("recipe.yaml").toString());
        assertThat(recipe.name()).isEqualTo("reference-primacy-2");
        assertThat(recipe.settings().integer("max-tokens")).isEqualTo(1 << 17);
    }

    @Test
    void nothingElseIsReplaced() throws IOException {
        Path refs = temp.resolve("refs");
        Object[] command = {"calibrate references --dataset demo --out", refs, "--reference reference-flat"};
        assertThat(Cli.run(command).code()).isZero();
        Cli.run(command).fails(2, "--out " + refs, "reference-flat", "--overwrite");
        Object[] overwriting = {
            "calibrate references --dataset demo --out", refs, "--reference reference-flat --overwrite"
        };
        assertThat(Cli.run(overwriting).code()).isZero();
        Path mine = Files.writeString(refs.resolve("reference-flat/notes.txt"), "mine");
        Cli.run(overwriting).fails(2, mine.toString());
        assertThat(mine).hasContent("mine");
    }
}
