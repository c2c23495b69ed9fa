package io.posbias.retrieve;

import io.posbias.Progress;
import io.posbias.Staging;
import io.posbias.encode.onnx.OnnxRuntime;
import io.posbias.encode.cache.RandomVectors;
import io.posbias.encode.cache.Vectors;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;

/** posbias's side of {@code run search}: a task is a number of dimensions; work is counted in 10^9 operations. */
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
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        String prepared = "";
        Vectors left = null;
        Vectors right = null;
        for (String task = in.readLine(); task != null; task = in.readLine()) {
            int dimension = Integer.parseInt(task);
            if (!task.equals(prepared)) {
                left = RandomVectors.make(folder.resolve("queries-" + task), queries, dimension, 1);
                right = RandomVectors.make(folder.resolve("passages-" + task), passages, dimension, 2);
                prepared = task;
            }
            try (ExactSearch search = new ExactSearch(OnnxRuntime.onCpu(), threads, dimension, false)) {
                long start = System.nanoTime();
                Ranking[] rankings = search.search(left, right, k, Progress.NONE.start("", 0));
                double seconds = (System.nanoTime() - start) / 1e9;
                if (rankings.length != queries || rankings[0].size() != k) {
                    throw new IllegalStateException("hits are missing");
                }
                System.out.println(seconds + " " + 2e-9 * queries * passages * dimension);
            }
        }
    }
}
