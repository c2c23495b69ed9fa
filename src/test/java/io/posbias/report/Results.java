package io.posbias.report;

import io.posbias.measure.BucketMean;
import io.posbias.measure.Profile;
import io.posbias.measure.Psi;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results for tests. */
public final class Results {
    private Results() {}

    /** A result with three buckets, the last of them thin, and a second measure without a PSI. */
    public static Result of(String model, String family, String dataset, double first) {
        List<BucketMean> buckets = List.of(
                new BucketMean("beginning", 100, first, false),
                new BucketMean("middle", 80, 0.5, false),
                new BucketMean("end", 7, 0.25, true));
        Psi psi = new Psi(1 - 0.25 / first, null, 0.0004, 0.1, 0.2);
        Profile ndcg = new Profile("nDCG@10", "all", 187, 0.6543, (first + 0.75) / 3, psi, buckets);
        List<BucketMean> zeros = List.of(
                new BucketMean("beginning", 100, 0.0, false),
                new BucketMean("middle", 80, 0.0, false),
                new BucketMean("end", 0, null, true));
        Psi undefined = new Psi(null, "all buckets score 0", null, null, null);
        Profile recall = new Profile("R@5", "all", 180, 0.0, 0.0, undefined, zeros);
        Map<String, Object> environment = new LinkedHashMap<>();
        environment.put("posbias", "0.1.0");
        environment.put("threads", 2);
        return new Result(
                model,
                family,
                dataset,
                new QueryCounts(187, 3, 2, 1, 4),
                List.of(ndcg, recall),
                Retrieval.NONE,
                new Settings(100, List.of("nDCG@10", "R@5"), "labels:beginning,middle,end", 30, 10_000, 42),
                new LinkedHashMap<>(Map.of("name", model, "kind", "bm25")),
                "ab".repeat(32),
                Map.of("corpus.jsonl", "cd".repeat(32)),
                environment,
                Map.of("search", 1.5));
    }
}
