package io.posbias.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posbias.SharedData;
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
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** XQuAD English as SQuAD-PosQ against bm25s, scikit-learn and trec_eval: real input through the main job. */
class XquadTest {
    @TempDir
    Path temp;

    @TempDir
    static Path built;

    private static Path dataset = Path.of("");

    @BeforeAll
    static void build() {
        dataset = built.resolve("xquad-en");
        Path squad = SharedData.file("squad-format/xquad.en.json");
        assertThat(Cli.run("data build squad-posq --input", squad, "--out", dataset)
                        .code())
                .isZero();
    }

    private static Fields expected(String system) {
        return Json.readJson(SharedData.file("golden/expected-xquad.en.json")).record(system);
    }

    private Result read(String folder) {
        return ResultFile.read(temp.resolve(folder).resolve("result.json")).getFirst();
    }

    private static void compare(Result result, String measure, Fields expected, String field, double tolerance) {
        Profile profile = Objects.requireNonNull(result.profile(measure, "all"));
        List<Fields> buckets = expected.records("buckets");
        assertThat(profile.buckets()).hasSameSizeAs(buckets);
        for (int i = 0; i < buckets.size(); i++) {
            BucketMean bucket = profile.buckets().get(i);
            assertThat(bucket.queries()).isEqualTo(buckets.get(i).integer("n"));
            assertThat(100 * Objects.requireNonNull(bucket.mean()))
                    .as(measure + " " + bucket.bucket())
                    .isCloseTo(buckets.get(i).number(field), within(tolerance));
        }
    }

    @Test
    void bm25IsWithinThreeTenthsOfAPointOfBm25sInEveryBucket() {
        Cli.run(
                "eval --model bm25 --dataset",
                dataset,
                "--measures nDCG@10,nDCG_tieavg@10,R@10 --out",
                temp.resolve("out"));
        Fields sklearn = expected("bm25s_sklearn_ties_averaged");
        Fields trec = expected("bm25s_run_scored_by_trec_eval");
        compare(read("out"), "nDCG_tieavg@10", sklearn, "ndcg@10", 0.3);
        compare(read("out"), "R@10", sklearn, "recall@10", 0.3);
        compare(read("out"), "nDCG@10", trec, "ndcg@10", 0.3);
    }

    @Test
    void theGoldenRunScoresAsScikitLearnAndTrecEvalSay() {
        Path run = SharedData.file("golden/bm25s-xquad.en.run.gz");
        Cli.run(
                        "score --run",
                        run,
                        "--dataset",
                        dataset,
                        "--measures nDCG@10,nDCG_tieavg@10,R@10 --out",
                        temp.resolve("golden"))
                .ok();
        Result result = read("golden");
        Fields sklearn = expected("bm25s_sklearn_ties_averaged");
        Fields trec = expected("bm25s_run_scored_by_trec_eval");
        // Printed with two digits.
        compare(result, "nDCG_tieavg@10", sklearn, "ndcg@10", 0.0051);
        compare(result, "R@10", sklearn, "recall@10", 0.0051);
        compare(result, "nDCG@10", trec, "ndcg@10", 0.0051);
        Profile tied = Objects.requireNonNull(result.profile("nDCG_tieavg@10", "all"));
        Profile plain = Objects.requireNonNull(result.profile("nDCG@10", "all"));
        assertThat(Objects.requireNonNull(tied.psi().value())).isCloseTo(sklearn.number("psi"), within(0.00051));
        assertThat(Objects.requireNonNull(plain.psi().value())).isCloseTo(trec.number("psi"), within(0.00051));
        assertThat(100 * Objects.requireNonNull(tied.bucketMean()))
                .isCloseTo(sklearn.number("mean_bucket"), within(0.0051));
    }

    @Test
    void theJudgementsAreThoseOfTheGoldenFile() throws IOException {
        TreeSet<String> golden = new TreeSet<>();
        for (String line : Files.readAllLines(SharedData.file("golden/xquad.en.qrels"))) {
            List<String> columns = List.of(line.split(" ", -1));
            golden.add(columns.get(0) + "\t" + columns.get(2) + "\t" + columns.get(3));
        }
        TreeSet<String> built = new TreeSet<>(Files.readAllLines(dataset.resolve("qrels/test.tsv")));
        built.remove("query-id\tcorpus-id\tscore");
        assertThat(built).isEqualTo(golden);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"all-minilm-l6-v2, minilm_256", "all-minilm-l6-v2-512, minilm_512"})
    void miniLmIsWithinFiveHundredthsOfAPointOfSentenceTransformersInEveryBucket(String model, String golden) {
        Cli.run("eval --model", model, "--dataset", dataset, "--no-cache --out", temp.resolve(model))
                .ok();
        Result result = read(model);
        compare(result, "nDCG@10", expected(golden), "ndcg@10", 0.05);
        assertThat(Objects.requireNonNull(Objects.requireNonNull(result.profile("nDCG@10", "all"))
                        .psi()
                        .value()))
                .isCloseTo(expected(golden).number("psi"), within(0.0005));
    }
}
