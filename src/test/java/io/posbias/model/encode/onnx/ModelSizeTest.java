package io.posbias.model.encode.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Json;
import io.posbias.base.process.PosbiasException;
import io.posbias.model.retrieve.RecipeBook;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelSizeTest {
    /** BERT's layers counted by hand from MiniLM's config.json; the graph has no pooler. */
    @Test
    void theGraphOfMiniLmHasAsManyWeightsAsItsConfigurationSays(@TempDir Path home) {
        double width = 384;
        double inner = 1536;
        double tables = (30_522 + 512 + 2) * width;
        double layer = 4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width;
        ModelFiles files = RecipeBook.find("all-minilm-l6-v2").files().getFirst();
        ModelSize size = ModelSize.of(files, home);
        assertThat(size.layers()).isEqualTo(6);
        assertThat(size.width()).isEqualTo(384);
        // A few constants of the graph, such as what attention is divided by, are floats too.
        assertThat(size.parameters() - (tables + 2 * width + 6 * layer)).isBetween(0.0, 100.0);
        assertThat(size.embeddings()).isBetween(tables - 2 * width, tables);
    }

    /** Kaplan et al.'s 2N for each token, and two products of the width for each two tokens and layer, 2 operations each. */
    @Test
    void operationsAreThoseOfTheParametersAndOfAttention() {
        ModelSize size = new ModelSize(1100, 100, 3, 10);
        assertThat(size.flops(5, 25)).isEqualTo(2 * 1000 * 5 + 3 * 2 * (2 * 10 * 25));
    }

    @Test
    void whatIsNoGraphIsSaid() {
        assertThatThrownBy(() -> ModelSize.ofGraph("x.onnx", new byte[] {58, 120, 1, 2}))
                .isInstanceOf(PosbiasException.class)
                .hasMessage("x.onnx is not a complete ONNX file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{parameters: 10, embeddings: 10, layers: 1, width: 1}|size.embeddings\" is 10.0",
                "{parameters: 0, embeddings: 0, layers: 1, width: 1}|size.parameters\" is 0;",
                "{parameters: 10, embeddings: 1, layers: 0, width: 1}|size.layers\" is 0",
                "{parameters: 10, layers: 1, width: 1}|size.embeddings\" is missing",
                "{params: 10}|unknown field \"size.params\"",
            })
    void whatARecipeMayNotSayIsNamed(String size, String message) {
        byte[] yaml = ("name: a\nkind: bm25\nsize: " + size).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> RecipeBook.read(Json.parseYaml(Path.of("a.yaml"), yaml)))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(message);
    }

    /** Their vendors' numbers of parameters, as the Hub shows them. */
    @ParameterizedTest
    @CsvSource({
        "qwen3-embedding-0.6b, 595776512",
        "qwen3-embedding-4b, 4021774336",
        "qwen3-embedding-8b, 7567295488",
        "bge-m3, 567754752",
        "gte-multilingual-base, 305368320",
    })
    void recipesSayHowBigModelsAre(String recipe, double parameters) {
        assertThat(RecipeBook.find(recipe).card().size())
                .isNotNull()
                .satisfies(size -> assertThat(size.parameters()).isEqualTo(parameters));
    }
}
