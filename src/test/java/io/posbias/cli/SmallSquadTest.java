package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.score.measure.BucketMean;
import io.posbias.score.measure.Profile;
import io.posbias.score.result.Result;
import io.posbias.score.result.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@link XquadTest} does with real data, on a small made-up SQuAD that is part of the repository: against the formulas
 * of bm25s, scikit-learn and trec_eval in Python, {@code python3 scripts/tests/small_golden.py}.
 */
class SmallSquadTest {
    private static final Path SMALL = Path.of("src/test/resources/small");

    @TempDir
    Path temp;

    private Path dataset = Path.of("");

    @BeforeEach
    void build() {
        dataset = temp.resolve("small");
        Cli.run("data build squad-posq --language en --input", SMALL.resolve("squad.json"), "--out", dataset)
                .ok();
    }

    private Result read() {
        return ResultFile.read(temp.resolve("out/result.json")).getFirst();
    }

    private static void compare(Result result, String measure, String system, String field) {
        Fields expected = Json.readJson(SMALL.resolve("expected.json")).record(system);
        Profile profile = Objects.requireNonNull(result.profile(measure, "all"));
        List<Fields> buckets = expected.records("buckets");
        assertThat(profile.buckets()).hasSameSizeAs(buckets);
        for (int i = 0; i < buckets.size(); i++) {
            BucketMean bucket = profile.buckets().get(i);
            assertThat(bucket.queries()).isEqualTo(buckets.get(i).integer("n"));
            assertThat(100 * Objects.requireNonNull(bucket.mean()))
                    .as(measure + " " + bucket.bucket())
                    .isCloseTo(buckets.get(i).number(field), within(1e-9));
        }
        Fields whole = expected.record(field);
        assertThat(Objects.requireNonNull(profile.psi().value())).isCloseTo(whole.number("psi"), within(1e-12));
        assertThat(100 * Objects.requireNonNull(profile.bucketMean()))
                .isCloseTo(whole.number("mean_bucket"), within(1e-9));
    }

    @Test
    void bm25RanksAsTheFormulaOfBm25s() {
        Cli.run("eval --model bm25 --dataset", dataset, "--out", temp.resolve("out"))
                .ok();
        compare(read(), "nDCG@10", "bm25", "ndcg@10");
    }

    @Test
    void aRunScoresAsScikitLearnAndTrecEvalSay() {
        Cli.run(
                        "score --run",
                        SMALL.resolve("run.trec"),
                        "--dataset",
                        dataset,
                        "--measures nDCG@10,nDCG_tieavg@10,R@10 --out",
                        temp.resolve("out"))
                .ok();
        compare(read(), "nDCG@10", "run", "ndcg@10");
        compare(read(), "nDCG_tieavg@10", "run", "ndcg_tieavg@10");
        compare(read(), "R@10", "run", "recall@10");
    }

    @Test
    void thePassageOfEachQuestionIsJudged() throws IOException {
        List<String> expected = Files.readAllLines(SMALL.resolve("qrels")).stream()
                .map(line -> line.split(" ", -1))
                .map(columns -> columns[0] + "\t" + columns[2] + "\t" + columns[3])
                .toList();
        assertThat(Files.readAllLines(dataset.resolve("qrels/test.tsv")))
                .contains("query-id\tcorpus-id\tscore")
                .hasSize(1 + expected.size())
                .containsAll(expected);
    }
}
