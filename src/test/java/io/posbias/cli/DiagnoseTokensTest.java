package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.base.json.Json;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.Query;
import io.posbias.model.encode.StandIns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents by their length in tokens, as the benchmark counts them: 500, 1,023, 1,024 and 2,000; a fifth is not known. */
class DiagnoseTokensTest {
    private static final List<Integer> TOKENS = List.of(500, 1023, 1024, 2000, Evidence.UNKNOWN);

    @TempDir
    Path temp;

    private Path benchmark(boolean known) throws IOException {
        Path folder = Files.createDirectories(temp.resolve("sized"));
        Files.writeString(folder.resolve("dataset.yaml"), "name: sized\nlanguage: en\n");
        try (DatasetWriter out = new DatasetWriter(folder, false)) {
            for (int i = 0; i < TOKENS.size(); i++) {
                String text = "a a a b b b word" + i + " b b";
                int tokens = known ? TOKENS.get(i) : Evidence.UNKNOWN;
                out.passage(new Passage("p" + i, "", text));
                out.query(new Query("q" + i, "word" + i, new Evidence(0, 1, text.length(), tokens, List.of(), null)));
                out.judgment("q" + i, "p" + i, 1);
            }
        }
        return folder;
    }

    @Test
    void saliencyTakesDocumentsOfEnoughTokens() throws IOException {
        Path out = temp.resolve("out");
        Cli.Ended ended = Cli.run(
                        "diagnose saliency --model bm25 --dataset",
                        benchmark(true),
                        "--window 1 --min-tokens 1024 --out",
                        out)
                .ok();
        assertThat(ended.err()).startsWith("sized: 2 pairs ").contains("0 left out");
        assertThat(Json.readJson(out.resolve("bm25/result.json"))
                        .record("saliency")
                        .integer("min_tokens"))
                .isEqualTo(1024);
        Cli.run("diagnose saliency --model bm25 --dataset", temp.resolve("sized"), "--min-tokens 3000")
                .fails(1, "sized has no matching query", "3000 tokens");
    }

    @Test
    void segmentsTakePassagesOfEnoughTokens() throws IOException {
        float[] table = new float[2 * 13];
        table[2 * 5] = 1;
        table[2 * 6 + 1] = 1;
        StandIns.write(
                temp.resolve("model"), StandIns.lookup(table), "similarity: dot\npooling: mean\nmax-tokens: 64\n");
        Object model = temp.resolve("model/recipe.yaml");
        Cli.Ended ended = Cli.run(
                        "diagnose segments --model",
                        model,
                        "--dataset",
                        benchmark(true),
                        "--min-words 2 --min-tokens 1023 --no-cache")
                .ok();
        assertThat(ended.err()).containsSubsequence("sized: 3 drawn of 3 ", "512 words", "1023 tokens", "5 passages\n");
        assertThat(ended.out().replaceAll("\\s+", " ")).contains("512 and at least 1023 tokens");
    }

    @Test
    void aBenchmarkThatCountsNoTokensIsOneLine() throws IOException {
        Cli.run("diagnose saliency --model bm25 --dataset", benchmark(false), "--min-tokens 9")
                .fails(2, "dataset sized", "(pos_token_length)", "--min-words", "--min-tokens");
    }
}
