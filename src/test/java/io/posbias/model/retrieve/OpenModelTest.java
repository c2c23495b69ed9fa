package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.LastModel;
import io.posbias.model.encode.TextEncoder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenModelTest {
    @TempDir
    Path temp;

    @Test
    void aWorkerWithoutTheModelsFilesSaysWhereItLooked() {
        PortableRecipe recipe = PortableRecipe.of(RecipeBook.find("bge-m3"));
        Engine worker = Engine.quiet(1, Sessions.in(temp));
        assertThatThrownBy(() -> OpenModel.with(TextEncoder.class, recipe, worker, new LastModel(), TextEncoder::space))
                .isInstanceOf(PosbiasException.class)
                .hasMessageContainingAll("bge-m3", "posbias models pull", "the worker reads models from " + temp);
    }
}
