package io.posbias.model.encode.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Configs;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.StandIns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SameBitsTest {
    private static final int ANY = 0;

    @TempDir
    Path temp;

    private static List<String> texts() {
        Random random = new Random(5);
        List<String> words = List.of("fox", "owl", "bridge", "night", "river", "mill", "the", "under", "old", "sleeps");
        List<String> texts = new ArrayList<>(List.of("", "a", "🦉 狐狸"));
        for (int i = 0; i < 23; i++) {
            int length = i < 20 ? 1 + 3 * (i % 10) : 100 * (i - 19);
            StringBuilder text = new StringBuilder();
            for (int w = 0; w < length; w++) {
                text.append(words.get(random.nextInt(words.size()))).append(' ');
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private float[][] encode(String model, int threads, int batchTokens, List<String> texts) {
        String name = "configs/models/" + model + ".yaml";
        Fields recipe = Json.parseYaml(Path.of(name), Configs.read(name));
        try (DenseEncoder encoder =
                new DenseEncoder(StandIns.dense(recipe), StandIns.engine(temp, threads, batchTokens))) {
            return StandIns.encode(encoder, Role.PASSAGE, texts.toArray(String[]::new));
        }
    }

    /** The quantised graph rounds all of a batch with one scale: it must not get one. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"all-minilm-l6-v2", "all-minilm-l6-v2-int8"})
    void batchesAndThreadsDoNotShowInMiniLmsVectors(String model) {
        List<String> texts = texts();
        float[][] alone = encode(model, 1, 1, texts);
        assertThat(alone[5]).hasSize(384);
        for (int budget : new int[] {ANY, 64}) {
            int threads = budget == 64 ? 1 : 2;
            float[][] together = encode(model, threads, budget, texts);
            for (int i = 0; i < alone.length; i++) {
                assertThat(together[i])
                        .as("text %d, budget %d, %d threads", i, budget, threads)
                        .isEqualTo(alone[i]);
            }
        }
    }

    /** As far from the graph of floats as 8 bits are, and no further. */
    @Tag("slow")
    @Test
    void theQuantisedGraphIsTheSameModel() {
        List<String> texts = texts().subList(1, 13);
        float[][] floats = encode("all-minilm-l6-v2", 2, ANY, texts);
        float[][] bytes = encode("all-minilm-l6-v2-int8", 2, ANY, texts);
        for (int i = 0; i < floats.length; i++) {
            double cosine = 0;
            for (int d = 0; d < floats[i].length; d++) {
                cosine += (double) floats[i][d] * bytes[i][d];
            }
            assertThat(cosine).as(texts.get(i)).isBetween(0.9, 0.9999);
        }
    }
}
