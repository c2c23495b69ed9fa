package io.posbias.model.retrieve;

import io.posbias.base.files.Staging;
import io.posbias.base.process.Progress;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.cache.RaggedVectors;
import io.posbias.model.encode.cache.Vectors;
import io.posbias.model.encode.onnx.OnnxRuntime;
import io.posbias.rank.Ranking;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** posbias's side of {@code scripts/bench/run search}: a task is a number of dimensions; work is counted in 10^9 operations. */
public final class SearchBench {
    private SearchBench() {}

    /** Arguments: queries, passages, hits to keep and threads. */
    public static void main(String[] args) throws Exception {
        int queries = Integer.parseInt(args[0]);
        int passages = Integer.parseInt(args[1]);
        int k = Integer.parseInt(args[2]);
        int threads = Integer.parseInt(args[3]);
        Path folder = Files.createTempDirectory("posbias-bench-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Staging.delete(folder)));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        String prepared = "";
        Vectors left = Vectors.computed(0, 1, text -> new float[0], text -> 0);
        Vectors right = left;
        for (String task = in.readLine(); task != null; task = in.readLine()) {
            int dimension = Integer.parseInt(task);
            if (!task.equals(prepared)) {
                left = RaggedVectors.random(folder.resolve("queries-" + task), queries, 1, dimension, 1);
                right = RaggedVectors.random(folder.resolve("passages-" + task), passages, 1, dimension, 2);
                prepared = task;
            }
            try (ExactSearch search =
                    new ExactSearch(OnnxRuntime.onCpu(Sessions.shared()), threads, AllPassages.of(right), false)) {
                long start = System.nanoTime();
                Ranking[] rankings = search.search(left, k, Progress.NONE.start("", 0));
                double seconds = (System.nanoTime() - start) / 1e9;
                if (rankings.length != queries || rankings[0].size() != k) {
                    throw new IllegalStateException("hits are missing");
                }
                System.out.println(seconds + " " + 2e-9 * queries * passages * dimension);
            }
        }
    }
}
