package io.posbias.model.retrieve;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.files.Checksums;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.model.encode.api.EmbeddingSettings;
import io.posbias.model.encode.api.RerankSettings;
import io.posbias.model.encode.model.CausalReranker;
import io.posbias.model.encode.model.CrossEncoder;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.model.TokenEncoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Results and cached vectors are found again by these digests; one changes only where its recipe does. */
class RecipeDigestsTest {
    private static List<String> lines() throws IOException {
        return Files.readAllLines(Path.of("src/test/resources/small/recipe-digests.txt")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("lines")
    void digestsStay(String line) {
        Recipe recipe = RecipeBook.find(line.substring(0, line.indexOf(' ')));
        assertThat(line).endsWith(" " + RecipeBook.fingerprint(recipe) + " " + settings(recipe));
    }

    @Test
    void allRecipesAreListed() throws IOException {
        assertThat(lines().stream().map(line -> line.substring(0, line.indexOf(' '))))
                .containsAll(RecipeBook.builtIn());
    }

    private static String settings(Recipe recipe) {
        Fields written = recipe.settings();
        return switch (recipe.kind()) {
            case "dense" -> Json.fingerprint(written, DenseSettings.class);
            case "late-interaction" -> Json.fingerprint(written, TokenEncoder.TokenSettings.class);
            case "cross-encoder" -> Json.fingerprint(written, CrossEncoder.class);
            case "causal-reranker" -> Json.fingerprint(written, CausalReranker.class);
            case "rerank-api" -> Json.fingerprint(written, RerankSettings.class);
            case "embedding-api" ->
                Checksums.sha256(
                        Json.fingerprint(written, EmbeddingSettings.class).getBytes(StandardCharsets.UTF_8));
            default -> "-";
        };
    }
}
