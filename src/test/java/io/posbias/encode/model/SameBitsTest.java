package io.posbias.encode.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.Configs;
import io.posbias.Fields;
import io.posbias.Json;
import io.posbias.encode.Role;
import io.posbias.encode.StandIns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes out for a text is the same to the last bit whatever else is encoded with it. */
class SameBitsTest {
    private static final int ANY = 0;

    @TempDir
    Path temp;

    /** Texts of all lengths to beyond the limit, several of each of the short ones. */
    private static List<String> texts() {
        Random random = new Random(5);
        List<String> words = List.of("fox", "owl", "bridge", "night", "river", "mill", "the", "under", "old", "sleeps");
        List<String> texts = new ArrayList<>(List.of("", "a", "🦉 狐狸"));
        for (int i = 0; i < 33; i++) {
            int length = i < 30 ? 1 + 3 * (i % 10) : 100 * (i - 29);
            StringBuilder text = new StringBuilder();
            for (int w = 0; w < length; w++) {
                text.append(words.get(random.nextInt(words.size()))).append(' ');
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private float[][] encode(int threads, int batchTokens, List<String> texts) {
        String name = "configs/models/all-minilm-l6-v2.yaml";
        Fields recipe = Json.parseYaml(Path.of(name), Configs.read(name));
        try (DenseEncoder encoder =
                DenseEncoder.open("all-minilm-l6-v2", recipe, StandIns.engine(temp, threads, batchTokens))) {
            return StandIns.encode(encoder, Role.PASSAGE, texts.toArray(String[]::new));
        }
    }

    @Test
    void batchesAndThreadsDoNotShowInMiniLmsVectors() {
        List<String> texts = texts();
        float[][] alone = encode(1, 1, texts);
        assertThat(alone[5]).hasSize(384);
        for (int budget : new int[] {ANY, 64, 512}) {
            int threads = budget == 64 ? 1 : 2;
            float[][] together = encode(threads, budget, texts);
            for (int i = 0; i < alone.length; i++) {
                assertThat(together[i])
                        .as("text %d, budget %d, %d threads", i, budget, threads)
                        .isEqualTo(alone[i]);
            }
        }
    }
}
