package io.posbias.model.retrieve;

import io.posbias.base.files.Staging;
import io.posbias.base.process.Parallel;
import io.posbias.base.process.Sessions;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.cache.RaggedVectors;
import io.posbias.model.encode.cache.VectorCache;
import io.posbias.model.encode.cache.Vectors;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** posbias's side of {@code scripts/bench/run maxsim}: a task is a number of dimensions; work is counted in pairs. */
public final class MaxSimBench {
    private MaxSimBench() {}

    /** Arguments: queries, their tokens, passages, their tokens, threads. */
    public static void main(String[] args) throws Exception {
        int queries = Integer.parseInt(args[0]);
        int queryTokens = Integer.parseInt(args[1]);
        int passages = Integer.parseInt(args[2]);
        int passageTokens = Integer.parseInt(args[3]);
        int threads = Integer.parseInt(args[4]);
        int[] all = IntStream.range(0, passages).toArray();
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
                left = RaggedVectors.random(folder.resolve("queries-" + task), queries, queryTokens, dimension, 1);
                right = RaggedVectors.random(folder.resolve("passages-" + task), passages, passageTokens, dimension, 2);
                prepared = task;
            }
            Vectors asked = left;
            float[][] scores = new float[queries][passages];
            try (MaxSim maxSim = new MaxSim(
                    AllPassages.of(right),
                    new MaxSim.Late(VectorCache.VectorFormat.FLOAT32, false),
                    Engine.quiet(threads, Sessions.shared()))) {
                long start = System.nanoTime();
                int block = MaxSim.blockEnd(asked, 0);
                Parallel.forChunks(threads, queries, block, () -> {
                    MaxSim.Worker worker = maxSim.worker();
                    return (from, to) -> {
                        worker.load(asked, from, to, MaxSim.QUERY_TOKENS);
                        worker.score(all, (query, passage, score) -> scores[from + query][passage] = score);
                    };
                });
                double seconds = (System.nanoTime() - start) / 1e9;
                System.out.println(seconds + " " + (long) queries * passages);
            }
        }
    }
}
