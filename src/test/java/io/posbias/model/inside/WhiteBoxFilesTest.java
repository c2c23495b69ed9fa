package io.posbias.model.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.ModelCheck;
import io.posbias.model.encode.StandIns;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.store.ModelStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What results of looking into a model depend on besides the model's own files. */
@DisabledOnOs(OS.WINDOWS)
class WhiteBoxFilesTest {
    @TempDir
    Path temp;

    private Recipe recipe(String transformer) {
        StandIns.write(
                temp,
                StandIns.lookup(StandIns.table(StandIns.VOCABULARY)),
                StandIns.PLAIN + "transformer: " + transformer + "\n");
        return RecipeBook.find(temp.resolve("recipe.yaml").toString());
    }

    private String inside(Recipe recipe) throws IOException {
        return inside(recipe, "6.2.0", 1);
    }

    private String inside(Recipe recipe, String version, int threads) throws IOException {
        Path python = Files.writeString(
                temp.resolve("python"),
                "#!/bin/sh\necho '{\"versions\": {\"torch\": \"2\", \"transformers\": \"5\","
                        + " \"sentence-transformers\": \"" + version + "\"}, \"python\": \"3.11\"}'\n");
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
        Session session =
                Session.quiet(Map.of("POSBIAS_HOME", temp.toString(), "POSBIAS_PYTHON", python.toString()), temp);
        return new ModelStore(session)
                .identifiedInside(recipe, Engine.quiet(threads, session))
                .sha256();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "one.safetensors|{family: bert, heads: 4, weights: one.safetensors}",
                "two.safetensors|{family: bert, heads: 4, weights: [one.safetensors, two.safetensors]}"
            })
    void areInTheDigestOfWhatTheyExplain(String changed, String transformer) throws IOException {
        for (String file : List.of("one.safetensors", "two.safetensors")) {
            Files.writeString(temp.resolve(file), "first");
        }
        Recipe recipe = recipe(transformer);
        String before = inside(recipe);
        assertThat(inside(recipe)).isEqualTo(before);
        assertThat(inside(recipe, "6.3.0", 1)).isNotEqualTo(before);
        assertThat(inside(recipe, "6.2.0", 2)).isNotEqualTo(before);
        String ofGraph = ModelStore.fingerprint(recipe, temp);
        Files.writeString(temp.resolve(changed), "other");
        assertThat(inside(recipe)).isNotEqualTo(before);
        // Rankings do not depend on them.
        assertThat(ModelStore.fingerprint(recipe, temp)).isEqualTo(ofGraph);
        Files.delete(temp.resolve(changed));
        assertThatThrownBy(() -> inside(recipe))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContaining(changed + " is missing");
    }

    @Test
    void aCheckTellsThatTheyAreMissing() {
        Recipe recipe = recipe("{family: bert, heads: 4, weights: m.safetensors}");
        assertThat(WhiteBoxCheck.of(recipe, Engine.quiet(1, Sessions.in(temp))))
                .hasValueSatisfying(fact -> assertThat(fact.outcome()).isEqualTo(ModelCheck.Outcome.INFO));
        assertThat(WhiteBoxCheck.of(recipe("{family: bert, heads: 4}"), Engine.quiet(1, Sessions.in(temp))))
                .isEmpty();
    }
}
