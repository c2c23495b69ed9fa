package io.posbias.model.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that white-box analysis reads besides the model's own. */
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

    private String inside(Recipe recipe) {
        return new ModelStore(Sessions.in(temp)).identifiedInside(recipe, Engine.quiet(1, Sessions.in(temp))).sha256();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "m.torchscript|{torchscript: m.torchscript}",
                "two.safetensors|{torchscript: m.torchscript, weights: [one.safetensors, two.safetensors]}",
                "two.safetensors|{family: bert, heads: 4, weights: [one.safetensors, two.safetensors]}"
            })
    void areInTheDigestOfWhatTheyExplain(String changed, String transformer) throws IOException {
        for (String file : List.of("m.torchscript", "one.safetensors", "two.safetensors")) {
            Files.writeString(temp.resolve(file), "first");
        }
        Recipe recipe = recipe(transformer);
        String before = inside(recipe);
        assertThat(inside(recipe)).isEqualTo(before);
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
        Recipe recipe = recipe("{torchscript: m.torchscript}");
        assertThat(WhiteBoxCheck.of(recipe, Engine.quiet(1, Sessions.in(temp))))
                .hasValueSatisfying(fact -> assertThat(fact.outcome()).isEqualTo(ModelCheck.Outcome.INFO));
        assertThat(WhiteBoxCheck.of(recipe("{family: bert, heads: 4}"), Engine.quiet(1, Sessions.in(temp))))
                .isEmpty();
    }
}
